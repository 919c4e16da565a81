import { isClientError, type ListedApiKeys, type NewOwnedApiKey } from '@gatehouse/client'
import { Button, Checkbox, Group, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { client } from '../../data/services.ts'
import { usePeopleTexts } from '../../texts/people-texts.ts'
import { useTexts } from '../../texts/texts.ts'
import { CopyButton } from '../../widgets/copy-button.tsx'
import { Dialog } from '../../widgets/dialog.tsx'
import { Failure } from '../../widgets/states.tsx'
import classes from './people-page.module.css'

type Rules = Pick<ListedApiKeys, 'scopes' | 'maxLifetimeDays'>

interface NewKey {
  readonly userId?: string
  readonly rules: Rules
  readonly onClose: () => void
}

/** Creates an API key of a user, or of a service that is to be named, and shows it once. */
export function NewKeyDialog({
  isOpen,
  onClose,
  ...asked
}: NewKey & { isOpen: boolean }): ReactNode {
  const people = usePeopleTexts()
  const [isMade, setMade] = useState(false)
  const close = (): void => {
    setMade(false)
    onClose()
  }
  return (
    // Neither a click beside the dialog nor Escape may lose the key.
    <Dialog
      opened={isOpen}
      onClose={close}
      closeOnClickOutside={false}
      closeOnEscape={!isMade}
      title={people.createKey}
    >
      <KeyForm {...asked} onClose={close} onMade={() => setMade(true)} />
    </Dialog>
  )
}

const blank = { service: '', name: '', end: '' }

function KeyForm({
  userId,
  rules: { scopes, maxLifetimeDays: days },
  onClose,
  onMade,
}: NewKey & { onMade: () => void }): ReactNode {
  const texts = useTexts()
  const people = usePeopleTexts()
  const queries = useQueryClient()
  const [given, setGiven] = useState(blank)
  const [chosen, setChosen] = useState<string[]>([])
  const create = useMutation({
    mutationFn: (key: NewOwnedApiKey) => client.users.createApiKey(key),
    onSettled: () => queries.invalidateQueries({ queryKey: ['api-keys'] }),
  })
  const { data, error } = create
  if (data !== undefined) return <MadeKey text={data.key} onClose={onClose} />
  const owner = userId === undefined ? { service: given.service.trim() } : { userId }
  const isNamed = given.name.trim() !== '' && owner.service !== ''
  const bind = (member: keyof typeof blank): object => ({
    value: given[member],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setGiven({ ...given, [member]: currentTarget.value }),
  })
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        const end = given.end === '' ? {} : { expiresAt: endOf(given.end, days) }
        const key = { ...owner, name: given.name.trim(), scopes: chosen, ...end }
        create.mutate(key, { onSuccess: onMade })
      }}
    >
      {userId === undefined && (
        <TextInput
          data-autofocus
          label={people.service}
          description={people.serviceDetail}
          autoComplete="off"
          {...bind('service')}
        />
      )}
      <TextInput
        data-autofocus={userId !== undefined || undefined}
        label={people.keyName}
        description={people.keyNameDetail}
        autoComplete="off"
        {...bind('name')}
      />
      <Checkbox.Group label={people.scopes} value={chosen} onChange={setChosen}>
        <Group gap="sm" mt="xs">
          {scopes.map((scope) => (
            <Checkbox key={scope} value={scope} label={scope} />
          ))}
        </Group>
      </Checkbox.Group>
      <TextInput
        type="date"
        label={people.lastDay}
        description={people.lastDayDetail(days)}
        min={dayOf(Date.now())}
        max={dayOf(latestEnd(days))}
        {...bind('end')}
      />
      {error !== null && (
        <Failure
          error={error}
          {...(isClientError(error, 'ApiKeyLimitReached') && { title: people.keyLimit })}
        />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {texts.silences.cancel}
        </Button>
        <Button type="submit" loading={create.isPending} disabled={!isNamed || chosen.length === 0}>
          {people.createKey}
        </Button>
      </Group>
    </form>
  )
}

/** Gives the focus to the first button: the form that had it is gone. */
const focusWithin = (element: HTMLElement | null): void => element?.querySelector('button')?.focus()

function MadeKey({ text, onClose }: { text: string; onClose: () => void }): ReactNode {
  const people = usePeopleTexts()
  return (
    <div className={classes.form} role="status" ref={focusWithin}>
      <p className={classes.note}>{people.keyOnce}</p>
      <code className={classes.secret}>{text}</code>
      <Group justify="flex-end">
        <CopyButton text={text} variant="default">
          {people.copyKey}
        </CopyButton>
        <Button onClick={onClose}>{people.done}</Button>
      </Group>
    </div>
  )
}

const dayMs = 86_400_000

/** The last moment that a date field can have. Browsers take longer years, but `Date` and the server do not. */
const endOfYears = Date.parse('9999-12-31T23:59:59Z')

/** When a key that is made now must end. */
const latestEnd = (days: number | null): number =>
  days === null ? endOfYears : Math.min(Date.now() + days * dayMs, endOfYears)

/** A moment as a date field has it. Days are those of UTC. */
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** A key is good until the end of its last day, unless it must end before. */
function endOf(day: string, days: number | null): string {
  const end = Date.parse(`${day}T23:59:59Z`)
  const latest = latestEnd(days)
  // The clock of the server may be behind.
  const isLastDay = end > latest && end - latest < dayMs
  return new Date(isLastDay ? latest - 60_000 : end).toISOString()
}
