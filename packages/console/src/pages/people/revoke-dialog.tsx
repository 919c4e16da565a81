import { Button, Group } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { showNotice } from '../../data/notice.ts'
import { useTexts } from '../../texts/texts.ts'
import { Dialog } from '../../widgets/dialog.tsx'
import { Failure } from '../../widgets/states.tsx'
import classes from './people-page.module.css'

/** Something to revoke, and the words for it. */
export interface Revocable {
  readonly id: string
  readonly title: string
  readonly detail: string
  readonly action: string
  /** What the page says once it is done (default: nothing). */
  readonly done?: string
  /** The key of the list that has it. */
  readonly queryKey: readonly string[]
  revoke(): Promise<unknown>
}

/** Asks before something is revoked: nothing brings it back. */
export function RevokeDialog({
  asked,
  onClose,
}: {
  /** `undefined` while it is closed. */
  asked: Revocable | undefined
  onClose: () => void
}): ReactNode {
  // While it closes, the dialog keeps its words.
  const last = useRef(asked)
  if (asked !== undefined) last.current = asked
  const shown = last.current
  return (
    <Dialog opened={asked !== undefined} onClose={onClose} title={shown?.title}>
      {shown && <RevokeForm key={shown.id} asked={shown} onClose={onClose} />}
    </Dialog>
  )
}

function RevokeForm({ asked, onClose }: { asked: Revocable; onClose: () => void }): ReactNode {
  const { silences } = useTexts()
  const queries = useQueryClient()
  const revoke = useMutation({
    mutationFn: () => asked.revoke(),
    onSuccess: () => {
      if (asked.done !== undefined) showNotice({ text: asked.done })
    },
    // The dialog stays open until the list is read again. Closed earlier, it would return the focus to a button that goes away.
    onSettled: () => queries.invalidateQueries({ queryKey: asked.queryKey }),
  })
  return (
    <div className={classes.form}>
      <p className={classes.note}>{asked.detail}</p>
      {revoke.error !== null && <Failure error={revoke.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {silences.cancel}
        </Button>
        <Button
          color="red"
          data-autofocus
          loading={revoke.isPending}
          onClick={() => revoke.mutate(undefined, { onSuccess: onClose })}
        >
          {asked.action}
        </Button>
      </Group>
    </div>
  )
}
