import type { UserSession } from '@gatehouse/client'
import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { usePeopleTexts } from '../../texts/people-texts.ts'
import { useTexts } from '../../texts/texts.ts'
import { Dialog } from '../../widgets/dialog.tsx'
import classes from './people-page.module.css'

/** Asks before sessions end: nothing brings a session back. */
export function EndSessionsDialog({
  sessions,
  isPending,
  onClose,
  onEnd,
}: {
  /** Those to end; none while it is closed. */
  sessions: readonly UserSession[]
  isPending: boolean
  onClose: () => void
  onEnd: () => void
}): ReactNode {
  const people = usePeopleTexts()
  const { silences } = useTexts()
  const isOne = sessions.length === 1
  return (
    <Dialog
      opened={sessions.length > 0}
      onClose={onClose}
      title={isOne ? people.end : people.endAll}
    >
      <div className={classes.form}>
        <p className={classes.note}>
          {isOne ? people.endOneDetail : people.endAllDetail(sessions.length)}
        </p>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {silences.cancel}
          </Button>
          <Button color="red" data-autofocus loading={isPending} onClick={onEnd}>
            {isOne ? people.end : people.endAll}
          </Button>
        </Group>
      </div>
    </Dialog>
  )
}
