import { formatMatcher, readMatchers } from '@gatehouse/client'
import { Button, Checkbox, Chip, Group, SegmentedControl, Select, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { knownLabels } from '../alerts/known-labels.ts'
import { rememberAuthor, useAuthor } from '../data/author.ts'
import { client } from '../data/services.ts'
import { useLanguage, useTexts } from '../texts/texts.ts'
import { readDuration, shortDuration } from '../time/durations.ts'
import { readEnd } from '../time/read-end.ts'
import { MatcherInput } from '../widgets/matcher-input/matcher-input.tsx'
import { MayButton } from '../widgets/may-button.tsx'
import { Failure } from '../widgets/states.tsx'
import { LocalTime } from '../widgets/time.tsx'
import { intervalsOf, ownZone, type Recurrence, RecurrenceFields } from './recurrence-fields.tsx'
import type { SilenceDraft } from './silence-draft.ts'
import classes from './silence-form.module.css'

const presets = ['30m', '1h', '2h', '8h', '1d', '3d', '7d']
const reminders = ['5m', '15m', '1h']
const eachNight: Recurrence = { weekdays: [], from: '22:00', to: '24:00' }

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
  const language = useLanguage()
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
  const [isRecurring, setRecurring] = useState(false)
  const [recurrence, setRecurrence] = useState<Recurrence>(eachNight)
  const [untilResolved, setUntilResolved] = useState(initial.untilResolved === true)
  const [reminder, setReminder] = useState(() => shortDuration(initial.remindBeforeMs ?? 0))
  const startsAt = initial.startsAt ?? Date.now()
  const endsAt = readEnd(duration, startsAt, language)
  const intervals = intervalsOf(recurrence)
  const save = useMutation({
    mutationFn: () => {
      if (!isKnown) rememberAuthor(author)
      const same = { matchers: read, createdBy: author, comment }
      if (isRecurring) {
        const timeIntervals = intervals ?? []
        return client.silences.recurring.create({ ...same, timeIntervals }).then(({ id }) => id)
      }
      const remindBeforeMs = readDuration(reminder) ?? 0
      return client.silences.create({
        ...(initial.id === undefined ? {} : { id: initial.id }),
        ...(initial.annotations === undefined ? {} : { annotations: initial.annotations }),
        ...same,
        startsAt: new Date(startsAt).toISOString(),
        endsAt: new Date(endsAt ?? 0).toISOString(),
        ...(untilResolved ? { untilResolved } : {}),
        ...(remindBeforeMs > 0 ? { remindBeforeMs } : {}),
      })
    },
    onSuccess: onDone,
  })
  const hasTime = isRecurring ? intervals !== undefined : endsAt !== undefined
  const isComplete = read.length > 0 && hasTime && author !== '' && comment !== ''
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
      {initial.id === undefined && (
        <SegmentedControl
          aria-label={texts.silences.kind}
          value={isRecurring ? 'recurring' : 'once'}
          onChange={(chosen) => setRecurring(chosen === 'recurring')}
          data={[
            { value: 'once', label: texts.silences.once },
            { value: 'recurring', label: texts.silences.recurring },
          ]}
        />
      )}
      {isRecurring ? (
        <RecurrenceFields value={recurrence} onChange={setRecurrence} />
      ) : (
        <div>
          <TextInput
            label={texts.silences.duration}
            value={duration}
            onChange={({ currentTarget }) => setDuration(currentTarget.value)}
            error={endsAt === undefined ? texts.silences.badDuration : undefined}
            description={
              endsAt === undefined ? undefined : (
                <>
                  {texts.silences.until} <LocalTime at={new Date(endsAt).toISOString()} /> ·{' '}
                  {ownZone()}
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
          <Group gap="lg" mt="md" align="end">
            <Checkbox
              label={texts.silences.untilResolved}
              checked={untilResolved}
              onChange={({ currentTarget }) => setUntilResolved(currentTarget.checked)}
            />
            <Select
              label={texts.silences.remind}
              value={reminder}
              allowDeselect={false}
              onChange={(chosen) => setReminder(chosen ?? '0s')}
              data={[
                { value: '0s', label: texts.silences.noReminder },
                ...[...new Set([...reminders, ...(reminder === '0s' ? [] : [reminder])])].map(
                  (value) => ({ value, label: texts.silences.before(value) }),
                ),
              ]}
            />
          </Group>
        </div>
      )}
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
