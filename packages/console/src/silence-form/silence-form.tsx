import { formatMatcher, readMatchers } from '@gatehouse/client'
import { Button, Group, SegmentedControl, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { rememberAuthor, useAuthor } from '../data/author.ts'
import { client } from '../data/services.ts'
import { type Texts, useTexts } from '../texts/texts.ts'
import { MatcherInput } from '../widgets/matcher-input/matcher-input.tsx'
import { MayButton, MayNote } from '../widgets/may-button.tsx'
import { Failure, isUnreachable, refusalOf } from '../widgets/states.tsx'
import { useTimeStyle } from '../widgets/use-time-style.ts'
import { type Surprise, surpriseOf } from './coverage.ts'
import { intervalsOf, type Recurrence, RecurrenceFields } from './recurrence-fields.tsx'
import type { SilenceDraft } from './silence-draft.ts'
import classes from './silence-form.module.css'
import { reminderMsOf, timesOf, timesOfDraft } from './silence-times.ts'
import { TimeFields } from './time-fields.tsx'

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
  const style = useTimeStyle()
  const [matchers, setMatchers] = useState(() => textOf(initial))
  const [first] = useState({ matchers, chosen: initial.chosen })
  const [times, setTimes] = useState(() => timesOfDraft(initial, style.zone))
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
  const surprise = surpriseOf(read, covered.data, {
    chosen: matchers === first.matchers ? first.chosen : undefined,
  })
  /** The matchers for which it was asked once more. */
  const [askedFor, setAskedFor] = useState<string>()
  const isAsking = askedFor === matchers && surprise?.kind === 'every'
  const [isRecurring, setRecurring] = useState(false)
  const [recurrence, setRecurrence] = useState<Recurrence>(eachNight)
  const intervals = intervalsOf(recurrence)
  const save = useMutation({
    mutationFn: () => {
      if (!isKnown) rememberAuthor(author)
      const same = { matchers: read, createdBy: author, comment }
      if (isRecurring) {
        const timeIntervals = intervals ?? []
        return client.silences.recurring.create({ ...same, timeIntervals }).then(({ id }) => id)
      }
      // The form may have been open for long.
      const { startsAt = 0, endsAt = 0 } = timesOf(times, Date.now(), style)
      const remindBeforeMs = reminderMsOf(times)
      return client.silences.create({
        ...(initial.id === undefined ? {} : { id: initial.id }),
        ...(initial.annotations === undefined ? {} : { annotations: initial.annotations }),
        ...same,
        startsAt: new Date(startsAt).toISOString(),
        endsAt: new Date(endsAt).toISOString(),
        ...(times.untilResolved ? { untilResolved: true } : {}),
        ...(remindBeforeMs > 0 ? { remindBeforeMs } : {}),
      })
    },
    onSuccess: onDone,
  })
  const { endsAt } = timesOf(times, Date.now(), style)
  const hasTime = isRecurring ? intervals !== undefined : endsAt !== undefined
  const isComplete = read.length > 0 && hasTime && author !== '' && comment !== ''
  const submit = async (): Promise<void> => {
    const preview = covered.data ?? (await covered.refetch()).data
    const isEvery = surpriseOf(read, preview, { chosen: undefined })?.kind === 'every'
    const isChosen = matchers === first.matchers && first.chosen !== undefined
    if (isEvery && !isChosen && !isAsking) setAskedFor(matchers)
    else save.mutate()
  }
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        setSent(true)
        if (isComplete) void submit()
      }}
    >
      <MayNote action="silences:write" />
      <div>
        <div className={classes.label}>{texts.silences.matchers}</div>
        <MatcherInput
          label={texts.silences.matchers}
          value={matchers}
          onChange={setMatchers}
          isUnchecked
          serverProblem={
            wasSent && read.length === 0 ? texts.silences.needsMatcher : refusalOf(covered.error)
          }
        />
        <p className={classes.covers} role="status">
          {covered.data !== undefined &&
            filter.length > 0 &&
            texts.silences.covers(covered.data.count, covered.data.history?.count)}
        </p>
        {surprise !== undefined && (
          <p className={classes.surprise} role="alert">
            {describe(surprise, texts.silences)}
            {isAsking && ` ${texts.silences.askEvery}`}
          </p>
        )}
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
        <TimeFields value={times} onChange={(change) => setTimes({ ...times, ...change })} />
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
      {save.error !== null && <NotSaved error={save.error} isNew={initial.id === undefined} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          {texts.silences.cancel}
        </Button>
        <MayButton action="silences:write" type="submit" loading={save.isPending}>
          {isAsking
            ? texts.silences.silenceEvery
            : initial.id === undefined
              ? texts.silences.create
              : texts.silences.save}
        </MayButton>
      </Group>
    </form>
  )
}

const textOf = ({ text, matchers }: SilenceDraft): string =>
  text ?? matchers.map(formatMatcher).join(', ')

function describe(surprise: Surprise, texts: Texts['silences']): string {
  switch (surprise.kind) {
    case 'none':
      return texts.matchesNone
    case 'every':
      return texts.coversEvery
    case 'contradiction':
      return texts.twoValues(surprise.name)
    case 'more':
      return texts.coversMore(surprise.count)
  }
}

/** Why the silence was not saved. Nothing tries again by itself, and the form keeps what was typed. */
function NotSaved({ error, isNew }: { error: unknown; isNew: boolean }): ReactNode {
  const { silences } = useTexts()
  if (!isUnreachable(error)) return <Failure error={error} />
  const title = isNew ? silences.notCreated : silences.notSaved
  return <Failure title={title} detail={silences.notSavedDetail} />
}
