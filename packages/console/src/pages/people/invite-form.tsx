import { isClientError } from '@gatehouse/client'
import { Button, Group, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { client } from '../../data/services.ts'
import { usePeopleTexts } from '../../texts/people-texts.ts'
import { Failure } from '../../widgets/states.tsx'
import classes from './people-page.module.css'
import { causesOf, isTaken } from './user-problems.ts'

/** Invites a person by an email address. */
export function InviteForm({ onDone }: { onDone: () => void }): ReactNode {
  const people = usePeopleTexts()
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const invite = useMutation({
    mutationFn: () => {
      const profile = name.trim() === '' ? {} : { standardAttributes: { name: name.trim() } }
      return client.users.invite({ email: email.trim(), ...profile })
    },
    onSuccess: onDone,
    // An invitation whose mail could not be sent is there, too.
    onSettled: () => queries.invalidateQueries({ queryKey: ['invitations'] }),
  })
  const { error } = invite
  const title = isTaken(error)
    ? people.taken
    : isClientError(error, 'InvitationExists')
      ? people.invitedAlready
      : undefined
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        invite.mutate()
      }}
    >
      <p className={classes.note}>{people.inviteDetail}</p>
      <TextInput
        data-autofocus
        label={people.identityKinds.email}
        inputMode="email"
        value={email}
        error={causesOf(error).has('/email') ? people.invalid : undefined}
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
      />
      <TextInput
        label={people.name}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      {error !== null && <Failure error={error} {...(title && { title })} />}
      <Group justify="flex-end">
        <Button type="submit" loading={invite.isPending} disabled={email.trim() === ''}>
          {people.invite}
        </Button>
      </Group>
    </form>
  )
}
