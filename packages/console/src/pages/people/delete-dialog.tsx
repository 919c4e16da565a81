import type { User } from '@gatehouse/client'
import { Button, Group, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { client } from '../../data/services.ts'
import { nameOfUser } from '../../people/describe-user.ts'
import { hashOf } from '../../route/route.ts'
import { usePeopleTexts } from '../../texts/people-texts.ts'
import { useTexts } from '../../texts/texts.ts'
import { Dialog } from '../../widgets/dialog.tsx'
import { Failure } from '../../widgets/states.tsx'
import classes from './people-page.module.css'

/** Deletes a user once the name was typed: nothing brings the user back. */
export function DeleteDialog({
  user,
  isOpen,
  onClose,
}: {
  user: User
  isOpen: boolean
  onClose: () => void
}): ReactNode {
  const texts = useTexts()
  const people = usePeopleTexts()
  const queries = useQueryClient()
  const [typed, setTyped] = useState('')
  const name = nameOfUser(user)
  const remove = useMutation({
    mutationFn: () => client.users.delete(user.id),
    onSuccess: async () => {
      location.hash = hashOf(['people'])
      await queries.invalidateQueries({ queryKey: ['users'] })
    },
  })
  return (
    <Dialog opened={isOpen} onClose={onClose} title={people.delete}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (typed.trim() === name.trim()) remove.mutate()
        }}
      >
        <p className={classes.note}>{people.deleteDetail}</p>
        <TextInput
          data-autofocus
          label={people.typeName(name)}
          value={typed}
          autoComplete="off"
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        {remove.error !== null && <Failure error={remove.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {texts.silences.cancel}
          </Button>
          <Button
            type="submit"
            color="red"
            disabled={typed.trim() !== name.trim()}
            loading={remove.isPending}
          >
            {people.delete}
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}
