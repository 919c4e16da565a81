import type { Run } from '@gatehouse/client'
import { ActionIcon, Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useMemo, useRef } from 'react'
import { hooks } from '../../data/webhooks.ts'
import { useTexts } from '../../texts/texts.ts'
import { Icon } from '../../widgets/icon.tsx'
import { Failure } from '../../widgets/states.tsx'
import { useKeys } from '../../widgets/use-keys.ts'
import classes from './output-view.module.css'

/** Searches in an output, and downloads it. */
export function OutputTools({
  run,
  word,
  position,
  count,
  isAll,
  onWord,
  onStep,
  children,
}: {
  run: Run
  word: string
  /** The position of the current match, from 1. */
  position: number
  count: number
  /** Whether these are all lines. */
  isAll: boolean
  onWord: (word: string) => void
  onStep: (by: number) => void
  /** More tools. */
  children: ReactNode
}): ReactNode {
  const { webhooks: texts } = useTexts()
  const field = useRef<HTMLInputElement>(null)
  useKeys(
    useMemo(
      () => ({
        '/': () => field.current?.focus(),
        n: () => onStep(1),
        N: () => onStep(-1),
      }),
      [onStep],
    ),
  )
  const download = useMutation({
    mutationFn: async () => save(await hooks.output(run.run_id), `${run.id}-${run.run_id}.log`),
  })
  return (
    <div className={classes.tools}>
      <TextInput
        ref={field}
        className={classes.search ?? ''}
        size="xs"
        type="search"
        aria-label={texts.search}
        placeholder={texts.search}
        leftSection={<Icon name="search" size={14} />}
        value={word}
        onChange={({ currentTarget }) => onWord(currentTarget.value)}
        onKeyDown={({ key, shiftKey }) => {
          if (key === 'Enter') onStep(shiftKey ? -1 : 1)
          if (key === 'Escape') onWord('')
        }}
      />
      <span className={classes.found} role="status">
        {word !== '' && texts.found(position, count, isAll)}
      </span>
      <ActionIcon.Group>
        <ActionIcon
          variant="default"
          size={30}
          aria-label={texts.previous}
          disabled={count === 0}
          onClick={() => onStep(-1)}
        >
          <Icon name="up" size={16} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size={30}
          aria-label={texts.next}
          disabled={count === 0}
          onClick={() => onStep(1)}
        >
          <Icon name="down" size={16} />
        </ActionIcon>
      </ActionIcon.Group>
      {children}
      <Button
        size="xs"
        variant="default"
        loading={download.isPending}
        leftSection={<Icon name="download" size={14} />}
        onClick={() => download.mutate()}
      >
        {texts.download}
      </Button>
      {download.error !== null && <Failure error={download.error} />}
    </div>
  )
}

/** Lets the browser save a text as a file. */
function save(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
