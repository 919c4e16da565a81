import type { ListedSilence, SilenceState } from '@gatehouse/client'
import { Chip, SegmentedControl, Select, TextInput } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import {
  authorsOf,
  chooseSilences,
  findSilences,
  type SilenceChoice,
  silenceSorts,
} from '../../alerts/find-silences.ts'
import { useParameter } from '../../route/route.ts'
import { useTexts } from '../../texts/texts.ts'
import { useNow } from '../../time/now.ts'
import { clip } from '../../widgets/clip.ts'
import { Icon } from '../../widgets/icon.tsx'
import classes from './silences-page.module.css'

const states: readonly SilenceState[] = ['active', 'pending', 'expired']

/** What the user looks for; all of it is in the address. */
interface SilenceSearch extends SilenceChoice {
  readonly text: string
  /** Whether anything but the state is asked for. */
  readonly isNarrowed: boolean
  set(name: 'state' | 'search' | 'author' | 'soon' | 'sort', value: string): void
}

export function useSilenceSearch(): SilenceSearch {
  const [state, setState] = useParameter('state')
  const [text, setText] = useParameter('search')
  const [author, setAuthor] = useParameter('author')
  const [soon, setSoon] = useParameter('soon')
  const [sort, setSort] = useParameter('sort')
  const setters = {
    state: setState,
    search: setText,
    author: setAuthor,
    soon: setSoon,
    sort: setSort,
  }
  return {
    state: states.find((one) => one === state) ?? 'active',
    text,
    author,
    isSoon: soon !== '',
    sort: silenceSorts.find((one) => one === sort) ?? 'ends',
    isNarrowed: text !== '' || author !== '' || soon !== '',
    set: (name, value) => setters[name](value),
  }
}

/** The silences that are looked for. */
export function useChosenSilences(
  all: readonly ListedSilence[],
  { text, state, author, isSoon, sort }: SilenceSearch,
): { readonly found: readonly ListedSilence[]; readonly shown: readonly ListedSilence[] } {
  const now = useNow()
  // Only what ends soon depends on the time.
  const at = isSoon ? now : 0
  const found = useMemo(() => findSilences(all, text), [all, text])
  const shown = useMemo(
    () => chooseSilences(found, { state, author, isSoon, sort }, at),
    [found, state, author, isSoon, sort, at],
  )
  return { found, shown }
}

/** Which silences are listed, and in what order. */
export function SilenceTools({
  search: { state, text, author, isSoon, sort, set },
  found,
}: {
  search: SilenceSearch
  /** Those that the text finds, in every state. */
  found: readonly ListedSilence[]
}): ReactNode {
  const texts = useTexts()
  const authors = useMemo(() => authorsOf(found), [found])
  const offered = author === '' || authors.includes(author) ? authors : [author, ...authors]
  return (
    <div className={classes.tools}>
      <SegmentedControl
        aria-label={texts.alerts.state}
        value={state}
        onChange={(chosen) => set('state', chosen === 'active' ? '' : chosen)}
        data={states.map((value) => ({
          value,
          label: texts.silences.inState(
            value,
            found.filter(({ status }) => status.state === value).length,
          ),
        }))}
      />
      <TextInput
        className={classes.search ?? ''}
        type="search"
        aria-label={texts.silences.search}
        placeholder={texts.silences.search}
        leftSection={<Icon name="search" size={16} />}
        value={text}
        onChange={({ currentTarget }) => set('search', currentTarget.value)}
      />
      <Select
        className={classes.choice ?? ''}
        aria-label={texts.silences.author}
        placeholder={texts.silences.anyAuthor}
        value={author === '' ? null : author}
        onChange={(chosen) => set('author', chosen ?? '')}
        data={offered.map((value) => ({ value, label: clip(value, 60) }))}
        clearable
        searchable
      />
      <Select
        className={classes.choice ?? ''}
        aria-label={texts.silences.sort}
        value={sort}
        onChange={(chosen) => set('sort', chosen === 'ends' ? '' : (chosen ?? ''))}
        data={silenceSorts.map((value) => ({ value, label: texts.silences.sorts[value] }))}
        allowDeselect={false}
      />
      <Chip
        className={classes.soon ?? ''}
        checked={isSoon}
        onChange={(isChosen) => set('soon', isChosen ? 'true' : '')}
      >
        {texts.silences.endsSoon}
      </Chip>
    </div>
  )
}
