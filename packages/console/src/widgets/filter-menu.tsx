import { ActionIcon, Menu } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { readKeptFilters, toggleSaved, withRecent } from '../alerts/kept-filters.ts'
import { remember, useRemembered } from '../browser/remembered.ts'
import { useTexts } from '../texts/texts.ts'
import { clip } from './clip.ts'
import classes from './filter-menu.module.css'
import { Icon } from './icon.tsx'

const key = 'gatehouse-filters'
/** A filter that stays for so long was meant. */
const usedAfterMs = 2_000

/** Filters that were saved, and those used lately. */
export function FilterMenu({
  filter,
  onChoose,
}: {
  filter: string
  onChoose: (filter: string) => void
}): ReactNode {
  const { filters } = useTexts()
  const kept = readKeptFilters(useRemembered(key))
  useEffect(() => {
    const timer = setTimeout(() => {
      const before = readKeptFilters(localStorage.getItem(key))
      const after = withRecent(before, filter)
      if (after !== before) remember(key, JSON.stringify(after))
    }, usedAfterMs)
    return () => clearTimeout(timer)
  }, [filter])
  const isSaved = kept.saved.includes(filter)
  const recent = kept.recent.filter((one) => one !== filter && !kept.saved.includes(one))
  const items = (all: readonly string[]): ReactNode =>
    all.map((one) => (
      <Menu.Item key={one} className={classes.item} title={clip(one)} onClick={() => onChoose(one)}>
        <bdi>{clip(one)}</bdi>
      </Menu.Item>
    ))
  return (
    <Menu position="bottom-end" width={360}>
      <Menu.Target>
        <ActionIcon
          variant="default"
          size="input-sm"
          aria-label={filters.open}
          title={filters.open}
        >
          <Icon name="star" isFilled={isSaved} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          disabled={filter.trim() === ''}
          onClick={() => remember(key, JSON.stringify(toggleSaved(kept, filter)))}
        >
          {isSaved ? filters.remove : filters.save}
        </Menu.Item>
        {kept.saved.length > 0 && <Menu.Label>{filters.saved}</Menu.Label>}
        {items(kept.saved)}
        {recent.length > 0 && <Menu.Label>{filters.recent}</Menu.Label>}
        {items(recent)}
      </Menu.Dropdown>
    </Menu>
  )
}
