import { Button, Group, SegmentedControl, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { MayButton, MayNote } from '../widgets/may-button.tsx'
import { Failure, isUnreachable, refusalOf } from '../widgets/states.tsx'
import { surprisesOf } from './coverage.ts'
import { CoverageNotes } from './coverage-notes.tsx'
import { MatcherField } from './matcher-field.tsx'
import { RecurrenceFields } from './recurrence-fields.tsx'
import { isNewDraft, type SilenceDraft } from './silence-draft.ts'
import classes from './silence-form.module.css'
import { TimeFields } from './time-fields.tsx'
import { usePreview } from './use-preview.ts'
import { useSave } from './use-save.ts'
import { type SilenceFields, useSilenceFields } from './use-silence-fields.ts'

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
  const { silences: texts } = useTexts()
  const fields = useSilenceFields(initial)
  const { matchers, filter, times, isRecurring } = fields
  const [wasSent, setSent] = useState(false)
  const preview = usePreview(matchers, initial)
  const [first] = useState(() => firstEmpty(initial, fields.author))
  /** The matchers for which it was asked once more. */
  const [askedFor, setAskedFor] = useState<string>()
  const isAsking = askedFor === filter
  const isNew = isNewDraft(initial)
  const save = useSave(initial, fields, onDone)
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
        if (fields.isComplete) void submit()
      }}
    >
      <MayNote action="silences:write" />
      <div>
        <MatcherField
          value={fields.written}
          onChange={fields.setWritten}
          problem={wasSent && matchers.length === 0 ? texts.needsMatcher : refusalOf(preview.error)}
          isFirst={first === 'matchers'}
        />
        <CoverageNotes
          preview={preview}
          matchers={matchers}
          initial={initial}
          isAsking={isAsking}
        />
      </div>
      {isNew && (
        <SegmentedControl
          aria-label={texts.kind}
          value={isRecurring ? 'recurring' : 'once'}
          onChange={(chosen) => fields.setRecurring(chosen === 'recurring')}
          data={[
            { value: 'once', label: texts.once },
            { value: 'recurring', label: texts.recurring },
          ]}
        />
      )}
      {isRecurring ? (
        <RecurrenceFields value={fields.recurrence} onChange={fields.setRecurrence} />
      ) : (
        <TimeFields value={times} onChange={(change) => fields.setTimes({ ...times, ...change })} />
      )}
      <WhyFields fields={fields} first={first} wasSent={wasSent} />
      {save.error !== null && <NotSaved error={save.error} isNew={isNew} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          {texts.cancel}
        </Button>
        <MayButton action="silences:write" type="submit" loading={save.isPending}>
          {isAsking ? texts.silenceEvery : isNew ? texts.create : texts.save}
        </MayButton>
      </Group>
    </form>
  )
}

/** Why the alerts are silenced, and who says so. */
function WhyFields({
  fields: { comment, setComment, author, setAuthor, isKnown },
  first,
  wasSent,
}: {
  fields: SilenceFields
  first: Field
  wasSent: boolean
}): ReactNode {
  const { silences: texts } = useTexts()
  return (
    <div className={classes.why}>
      <TextInput
        label={texts.comment}
        value={comment}
        data-autofocus={first === 'comment' || undefined}
        onChange={({ currentTarget }) => setComment(currentTarget.value)}
        error={wasSent && comment === '' ? texts.required : undefined}
      />
      <TextInput
        label={texts.createdBy}
        value={author}
        readOnly={isKnown}
        description={isKnown ? texts.isRecorded : undefined}
        data-autofocus={first === 'author' || undefined}
        autoComplete="username"
        onChange={({ currentTarget }) => setAuthor(currentTarget.value)}
        error={wasSent && author === '' ? texts.required : undefined}
      />
    </div>
  )
}

/** The field that has the focus first: the first one that is empty, else the comment. */
function firstEmpty({ matchers, comment = '' }: SilenceDraft, author: string): Field {
  if (matchers.length === 0) return 'matchers'
  return comment !== '' && author === '' ? 'author' : 'comment'
}

type Field = 'matchers' | 'comment' | 'author'

/** Why the silence was not saved. Nothing tries again by itself, and the form keeps what was typed. */
function NotSaved({ error, isNew }: { error: unknown; isNew: boolean }): ReactNode {
  const { silences } = useTexts()
  const title = isNew ? silences.notCreated : silences.notSaved
  if (!isUnreachable(error)) return <Failure title={title} error={error} />
  return <Failure title={title} detail={silences.notSavedDetail} />
}
