import type { NewUser } from '@gatehouse/client'
import { Button, Checkbox, Group, PasswordInput, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { client } from '../../data/services.ts'
import { usePeopleTexts } from '../../texts/people-texts.ts'
import { Failure } from '../../widgets/states.tsx'
import classes from './people-page.module.css'
import { causesOf, isTaken } from './user-problems.ts'

const blank = { name: '', email: '', phone: '', username: '', password: '' }

/** Creates a user with at least one login ID. */
export function NewUserForm({ onDone }: { onDone: (id: string) => void }): ReactNode {
  const people = usePeopleTexts()
  const queries = useQueryClient()
  const [given, setGiven] = useState(blank)
  const [isVerified, setVerified] = useState(false)
  const [wasSent, setSent] = useState(false)
  const create = useMutation({
    mutationFn: () => client.users.create(userOf(given, isVerified)),
    onSuccess: async (id) => {
      await queries.invalidateQueries({ queryKey: ['users'] })
      onDone(id)
    },
  })
  const hasLoginId = [given.email, given.phone, given.username].some((text) => text.trim() !== '')
  const causes = causesOf(create.error)
  const bind = (member: keyof typeof blank, location: string): object => ({
    value: given[member],
    error: causes.has(location) ? people.invalid : undefined,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setGiven({ ...given, [member]: currentTarget.value }),
  })
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setSent(true)
        if (hasLoginId) create.mutate()
      }}
    >
      <TextInput label={people.name} data-autofocus {...bind('name', '/standardAttributes')} />
      <TextInput
        label={people.identityKinds.email}
        inputMode="email"
        {...bind('email', '/email')}
        {...(wasSent && !hasLoginId && { error: people.needsLoginId })}
      />
      <TextInput
        label={people.identityKinds.phone}
        description={people.phoneDetail}
        {...bind('phone', '/phone_number')}
      />
      <Checkbox
        label={people.isVerified}
        checked={isVerified}
        onChange={({ currentTarget }) => setVerified(currentTarget.checked)}
      />
      <TextInput
        label={people.identityKinds.username}
        {...bind('username', '/preferred_username')}
      />
      <PasswordInput
        label={people.password}
        description={people.passwordDetail}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': people.showPassword }}
        {...bind('password', '/password')}
      />
      {create.error !== null && (
        <Failure error={create.error} {...(isTaken(create.error) && { title: people.taken })} />
      )}
      <Group justify="flex-end">
        <Button type="submit" loading={create.isPending}>
          {people.create}
        </Button>
      </Group>
    </form>
  )
}

function userOf(given: typeof blank, isVerified: boolean): NewUser {
  const { name, email, phone, username } = {
    name: given.name.trim(),
    email: given.email.trim(),
    phone: given.phone.trim(),
    username: given.username.trim(),
  }
  return {
    ...(email && { email, email_verified: isVerified }),
    ...(phone && { phone_number: phone, phone_number_verified: isVerified }),
    ...(username && { preferred_username: username }),
    ...(given.password && { password: given.password }),
    ...(name && { standardAttributes: { name } }),
  }
}
