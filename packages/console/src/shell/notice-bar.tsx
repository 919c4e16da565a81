import { Button, CloseButton } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Notice, showNotice, useNotice } from '../data/notice.ts'
import { useTexts } from '../texts/texts.ts'
import { clip } from '../widgets/clip.ts'
import classes from './notice-bar.module.css'

/** Says what was done, and takes it back. The region is always there: only then is a new text in it read aloud. */
export function NoticeBar(): ReactNode {
  const notice = useNotice()
  return (
    <div className={classes.region} role="status">
      {notice !== undefined && <Content notice={notice} />}
    </div>
  )
}

function Content({ notice }: { notice: Notice }): ReactNode {
  const { notices, keys } = useTexts()
  const { text, href, undo } = notice
  const queries = useQueryClient()
  const undoing = useMutation({
    mutationFn: ({ undo }: Notice) => undo?.() ?? Promise.resolve(),
    onSuccess: () => {
      showNotice({ text: notices.undone })
      return queries.invalidateQueries()
    },
  })
  const hasFailed = undoing.error !== null && undoing.variables === notice
  return (
    <div className={classes.notice}>
      <span className={classes.text}>
        <bdi>{hasFailed ? notices.undoFailed(clip(undoing.error.message)) : text}</bdi>
      </span>
      {href !== undefined && (
        <Button component="a" href={href} size="compact-sm" variant="subtle">
          {notices.open}
        </Button>
      )}
      {undo !== undefined && (
        <Button
          size="compact-sm"
          variant="default"
          loading={undoing.isPending}
          onClick={() => undoing.mutate(notice)}
        >
          {notices.undo}
        </Button>
      )}
      <CloseButton size="sm" aria-label={keys.close} onClick={() => showNotice(undefined)} />
    </div>
  )
}
