import { formatMatcher, readMatchers } from '@gatehouse/client'
import { Button, Chip, Group, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { knownLabels } from '../alerts/known-labels.ts'
import { rememberAuthor, useAuthor } from '../data/author.ts'
import { client } from '../data/services.ts'
import { useTexts } from '../texts/texts.ts'
import { readDuration, shortDuration } from '../time/durations.ts'
import { MatcherInput } from '../widgets/matcher-input/matcher-input.tsx'
import { MayButton } from '../widgets/may-button.tsx'
import { Failure } from '../widgets/states.tsx'
import { LocalTime } from '../widgets/time.tsx'
import type { SilenceDraft } from './silence-draft.ts'
import classes from './silence-form.module.css'

const presets = ['30m', '1h', '2h', '8h', '1d', '3d', '7d']

/** Creates or changes a silence; shows at once what it covers. */
export function SilenceForm({
  initial,
  onDone,
  onCancel,
}: {
  initial: SilenceDraft
  onDone: (id: string) => void
  onCancel: () => void
}): ReactNode {
  const texts = useTexts()
  const [matchers, setMatchers] = useState(() => initial.matchers.map(formatMatcher).join(', '))
  const [duration, setDuration] = useState(() =>
    initial.endsAt === undefined
      ? '2h'
      : shortDuration(initial.endsAt - (initial.startsAt ?? Date.now())),
  )
  const [author, setAuthor, isKnown] = useAuthor(initial.createdBy)
  const [comment, setComment] = useState(initial.comment ?? '')
  const [wasSent, setSent] = useState(false)
  const read = readMatchers(matchers).matchers ?? []
  const filter = read.map(formatMatcher)
  const covered = useQuery({
    queryKey: ['silence-preview', filter],
    queryFn: ({ signal }) => client.silences.preview({ matchers: read }, { signal }),
    enabled: filter.length > 0,
  })
  const all = useQuery({
    queryKey: ['alerts'],
    queryFn: ({ signal }) => client.alerts.list({}, { signal }),
    staleTime: 60_000,
  })
  const known = useMemo(() => knownLabels(all.data ?? []), [all.data])
  const length = readDuration(duration)
  const startsAt = initial.startsAt ?? Date.now()
  const save = useMutation({
    mutationFn: () => {
      if (!isKnown) rememberAuthor(author)
      return client.silences.create({
        ...(initial.id === undefined ? {} : { id: initial.id }),
        matchers: read,
        startsAt: new Date(startsAt).toISOString(),
        endsAt: new Date(startsAt + (length ?? 0)).toISOString(),
        createdBy: author,
        comment,
      })
    },
    onSuccess: onDone,
  })
  const isComplete = read.length > 0 && length !== undefined && author !== '' && comment !== ''
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        setSent(true)
        if (isComplete) save.mutate()
      }}
    >
      <div>
        <div className={classes.label}>{texts.silences.matchers}</div>
        <MatcherInput
          label={texts.silences.matchers}
          value={matchers}
          known={known}
          onChange={setMatchers}
          serverProblem={
            wasSent && read.length === 0 ? texts.silences.needsMatcher : covered.error?.message
          }
        />
        <p className={classes.covers} role="status">
          {covered.data !== undefined &&
            filter.length > 0 &&
            texts.silences.covers(covered.data.count, covered.data.history?.count)}
        </p>
      </div>
      <div>
        <TextInput
          label={texts.silences.duration}
          value={duration}
          onChange={({ currentTarget }) => setDuration(currentTarget.value)}
          error={length === undefined ? texts.silences.badDuration : undefined}
          description={
            length === undefined ? undefined : (
              <>
                {texts.silences.until} <LocalTime at={new Date(startsAt + length).toISOString()} />{' '}
                · {Intl.DateTimeFormat().resolvedOptions().timeZone}
              </>
            )
          }
        />
        <Chip.Group
          value={presets.find((one) => one === duration) ?? null}
          onChange={(chosen) => setDuration(String(chosen))}
        >
          <Group gap="xs" mt="xs">
            {presets.map((preset) => (
              <Chip key={preset} value={preset} size="sm">
                {preset}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      </div>
      <TextInput
        label={texts.silences.createdBy}
        value={author}
        readOnly={isKnown}
        autoComplete="username"
        onChange={({ currentTarget }) => setAuthor(currentTarget.value)}
        error={wasSent && author === '' ? texts.silences.required : undefined}
      />
      <TextInput
        label={texts.silences.comment}
        value={comment}
        data-autofocus
        onChange={({ currentTarget }) => setComment(currentTarget.value)}
        error={wasSent && comment === '' ? texts.silences.required : undefined}
      />
      {save.error !== null && <Failure error={save.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          {texts.silences.cancel}
        </Button>
        <MayButton action="silences:write" type="submit" loading={save.isPending}>
          {initial.id === undefined ? texts.silences.create : texts.silences.save}
        </MayButton>
      </Group>
    </form>
  )
}
