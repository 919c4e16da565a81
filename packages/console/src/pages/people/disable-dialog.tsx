import { Button, Group, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { usePeopleTexts } from '../../texts/people-texts.ts'
import { useTexts } from '../../texts/texts.ts'
import { Dialog } from '../../widgets/dialog.tsx'
import classes from './people-page.module.css'

/** Asks why a user is disabled, which the user is told. */
export function DisableDialog({
  isOpen,
  onClose,
  onDisable,
}: {
  isOpen: boolean
  onClose: () => void
  onDisable: (reason: string | undefined) => void
}): ReactNode {
  const texts = useTexts()
  const people = usePeopleTexts()
  const [reason, setReason] = useState('')
  return (
    <Dialog opened={isOpen} onClose={onClose} title={people.disable}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          onDisable(reason.trim() || undefined)
        }}
      >
        <p className={classes.note}>{people.disableDetail}</p>
        <TextInput
          data-autofocus
          label={people.reason}
          description={people.reasonDetail}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {texts.silences.cancel}
          </Button>
          <Button type="submit">{people.disable}</Button>
        </Group>
      </form>
    </Dialog>
  )
}
