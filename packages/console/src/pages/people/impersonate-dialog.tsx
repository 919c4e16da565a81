import { isClientError } from '@gatehouse/client'
import { Button, Group, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { startAgain } from '../../data/me.ts'
import { client } from '../../data/services.ts'
import { usePeopleTexts } from '../../texts/people-texts.ts'
import { useTexts } from '../../texts/texts.ts'
import { Dialog } from '../../widgets/dialog.tsx'
import { Failure } from '../../widgets/states.tsx'
import classes from './people-page.module.css'

/** Asks why an operator acts as a user, and then does so: this browser is signed in as the user. */
export function ImpersonateDialog({
  id,
  isOpen,
  onClose,
}: {
  id: string
  isOpen: boolean
  onClose: () => void
}): ReactNode {
  const texts = useTexts()
  const people = usePeopleTexts()
  const [reason, setReason] = useState('')
  const begin = useMutation({
    mutationFn: () => client.users.impersonate(id, reason.trim()),
    // Everything that the page knows is another person's now, who may not see the pages of people.
    onSuccess: () => startAgain(),
  })
  const { error } = begin
  const title = isClientError(error, 'ImpersonationForbidden')
    ? people.mayDoMore
    : isClientError(error, 'NotFound')
      ? people.noImpersonation
      : undefined
  return (
    <Dialog opened={isOpen} onClose={onClose} title={people.impersonate}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          begin.mutate()
        }}
      >
        <p className={classes.note}>{people.impersonateDetail}</p>
        <TextInput
          data-autofocus
          label={people.reason}
          description={people.impersonateReason}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        {error !== null && <Failure error={error} {...(title && { title })} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {texts.silences.cancel}
          </Button>
          <Button type="submit" loading={begin.isPending} disabled={reason.trim() === ''}>
            {people.impersonate}
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}
