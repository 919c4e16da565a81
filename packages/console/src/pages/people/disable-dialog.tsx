import { Button, Group, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
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
  const [reason, setReason] = useState('')
  return (
    <Dialog opened={isOpen} onClose={onClose} title={texts.people.disable}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          onDisable(reason.trim() || undefined)
        }}
      >
        <p className={classes.note}>{texts.people.disableDetail}</p>
        <TextInput
          data-autofocus
          label={texts.people.reason}
          description={texts.people.reasonDetail}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {texts.silences.cancel}
          </Button>
          <Button type="submit">{texts.people.disable}</Button>
        </Group>
      </form>
    </Dialog>
  )
}
