import { formatMatcher } from '@gatehouse/client'
import { Button, Group, SegmentedControl, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { rememberAuthor, useAuthor } from '../data/author.ts'
import { showNotice } from '../data/notice.ts'
import { hashOf } from '../route/route.ts'
import { type Texts, useTexts } from '../texts/texts.ts'
import { shortMoment } from '../time/short-moment.ts'
import { MayButton, MayNote } from '../widgets/may-button.tsx'
import { Failure, isUnreachable, refusalOf } from '../widgets/states.tsx'
import { useTimeStyle } from '../widgets/use-time-style.ts'
import { maxUnremarked, type Surprise, surprisesOf } from './coverage.ts'
import { CoveredAlerts } from './covered-alerts.tsx'
import { MatcherField, type WrittenMatchers, writtenMatchers } from './matcher-field.tsx'
import { intervalsOf, recurrenceOf } from './recurrence.ts'
import { RecurrenceFields } from './recurrence-fields.tsx'
import { saveRecurring, saveSilence } from './save-silence.ts'
import type { SilenceDraft } from './silence-draft.ts'
import classes from './silence-form.module.css'
import { reminderMsOf, timesOf, timesOfDraft } from './silence-times.ts'
import { TimeFields } from './time-fields.tsx'
import { type Preview, usePreview } from './use-preview.ts'

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
  const [written, setWritten] = useState(() => writtenOf(initial))
  const [times, setTimes] = useState(() => timesOfDraft(initial, style.zone))
  const [author, setAuthor, isKnown] = useAuthor(initial.createdBy)
  const [comment, setComment] = useState(initial.comment ?? '')
  const [isRecurring, setRecurring] = useState(initial.recurring !== undefined)
  const [recurrence, setRecurrence] = useState(() => recurrenceOf(initial.recurring?.timeIntervals))
  const [wasSent, setSent] = useState(false)
  const matchers = writtenMatchers(written) ?? []
  const preview = usePreview(matchers, initial)
  const [first] = useState(() => firstEmpty(initial, author))
  /** The matchers for which it was asked once more. */
  const [askedFor, setAskedFor] = useState<string>()
  const filter = matchers.map(formatMatcher).join(', ')
  const isAsking = askedFor === filter
  const isNew = initial.id === undefined && initial.recurring === undefined
  const save = useMutation({
    mutationFn: async (count: number | undefined) => {
      if (!isKnown) rememberAuthor(author)
      const silence = { matchers, createdBy: author, comment }
      if (isRecurring) {
        const saved = await saveRecurring(initial, silence, intervalsOf(recurrence) ?? [])
        const text = isNew ? texts.silences.recurs : texts.silences.recurringChanged
        return { ...saved, text, href: hashOf(['silences', 'recurring', saved.id]) }
      }
      // The form may have been open for long.
      const now = Date.now()
      const { startsAt = now, endsAt = now } = timesOf(times, now, style)
      const { untilResolved } = times
      const remindBeforeMs = reminderMsOf(times)
      const saved = await saveSilence(initial, silence, {
        ...{ startsAt, endsAt, untilResolved, remindBeforeMs },
      })
      const until = shortMoment(endsAt, now, style)
      const text =
        initial.id !== undefined
          ? texts.silences.changed(until)
          : startsAt > now
            ? texts.silences.planned(shortMoment(startsAt, now, style), until)
            : texts.silences.silenced(count, until)
      return { ...saved, text, href: hashOf(['silences', saved.id]) }
    },
    onSuccess: ({ id, ...notice }) => {
      showNotice(notice)
      onDone(id)
    },
  })
  const { endsAt } = timesOf(times, Date.now(), style)
  const hasTime = isRecurring ? intervalsOf(recurrence) !== undefined : endsAt !== undefined
  const isComplete = matchers.length > 0 && hasTime && author !== '' && comment !== ''
  const submit = async (): Promise<void> => {
    const now = await preview.readNow()
    const isEvery = surprisesOf(matchers, now).some(({ kind }) => kind === 'every')
    // Who has chosen every alert has said so already.
    if (isEvery && now?.unchosen !== 0 && !isAsking) setAskedFor(filter)
    else save.mutate(now?.count)
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
        <MatcherField
          value={written}
          onChange={setWritten}
          problem={
            wasSent && matchers.length === 0
              ? texts.silences.needsMatcher
              : refusalOf(preview.error)
          }
          isFirst={first === 'matchers'}
        />
        <Coverage
          preview={preview}
          surprises={surprisesOf(
            matchers,
            preview.isOld ? undefined : preview.data,
            initial.chosen?.length,
          )}
          isAsking={isAsking}
          initial={initial}
          leftOut={initial.leftOut?.filter((name) => matchers.every((one) => one.name !== name))}
        />
      </div>
      {isNew && (
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
      <div className={classes.why}>
        <TextInput
          label={texts.silences.comment}
          value={comment}
          data-autofocus={first === 'comment' || undefined}
          onChange={({ currentTarget }) => setComment(currentTarget.value)}
          error={wasSent && comment === '' ? texts.silences.required : undefined}
        />
        <TextInput
          label={texts.silences.createdBy}
          value={author}
          readOnly={isKnown}
          description={isKnown ? texts.silences.isRecorded : undefined}
          data-autofocus={first === 'author' || undefined}
          autoComplete="username"
          onChange={({ currentTarget }) => setAuthor(currentTarget.value)}
          error={wasSent && author === '' ? texts.silences.required : undefined}
        />
      </div>
      {save.error !== null && <NotSaved error={save.error} isNew={isNew} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          {texts.silences.cancel}
        </Button>
        <MayButton action="silences:write" type="submit" loading={save.isPending}>
          {isAsking
            ? texts.silences.silenceEvery
            : isNew
              ? texts.silences.create
              : texts.silences.save}
        </MayButton>
      </Group>
    </form>
  )
}

/** What the silence would cover, and what may surprise in that. */
function Coverage({
  preview: { data, isOld, error },
  surprises,
  isAsking,
  initial: { chosen, id, recurring },
  leftOut = [],
}: {
  preview: Preview
  surprises: readonly Surprise[]
  isAsking: boolean
  initial: SilenceDraft
  /** Labels that have no matcher because of their many values. */
  leftOut: readonly string[] | undefined
}): ReactNode {
  const { silences: texts } = useTexts()
  const isUnknown = error !== null && refusalOf(error) === undefined
  return (
    <>
      <p className={classes.covers} role="status">
        {isUnknown
          ? texts.noPreview
          : data !== undefined && texts.covers(data.count, data.history?.count)}
      </p>
      {(surprises.length > 0 || leftOut.length > 0) && (
        <div className={classes.surprises} role="alert">
          {leftOut.length > 0 && <p>{texts.leftOut(leftOut)}</p>}
          {surprises.map((surprise) => (
            <p key={surprise.kind}>
              {describe(surprise, texts)}
              {isAsking && surprise.kind === 'every' && ` ${texts.askEvery}`}
            </p>
          ))}
        </div>
      )}
      {data !== undefined && (
        <div className={isOld ? classes.old : undefined}>
          <CoveredAlerts
            preview={data}
            chosen={chosen}
            own={recurring?.silenceIds ?? (id === undefined ? [] : [id])}
          />
        </div>
      )}
    </>
  )
}

/** The matchers of a draft, or its text where that cannot be read. */
function writtenOf({ text, matchers }: SilenceDraft): WrittenMatchers {
  return text === undefined || text === ''
    ? { matchers, text: '', isText: false }
    : { matchers: [], text, isText: true }
}

/** The field that has the focus first: the first one that is empty, else the comment. */
function firstEmpty({ matchers, comment = '' }: SilenceDraft, author: string): Field {
  if (matchers.length === 0) return 'matchers'
  return comment !== '' && author === '' ? 'author' : 'comment'
}

type Field = 'matchers' | 'comment' | 'author'

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
    case 'missed':
      return texts.misses(surprise.count)
    case 'many':
      return texts.coversMany(maxUnremarked)
  }
}

/** Why the silence was not saved. Nothing tries again by itself, and the form keeps what was typed. */
function NotSaved({ error, isNew }: { error: unknown; isNew: boolean }): ReactNode {
  const { silences } = useTexts()
  const title = isNew ? silences.notCreated : silences.notSaved
  if (!isUnreachable(error)) return <Failure title={title} error={error} />
  return <Failure title={title} detail={silences.notSavedDetail} />
}
