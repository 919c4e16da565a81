import type { Alert } from '@gatehouse/client'
import { Button, Group, Select, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { rememberAuthor, useAuthor } from '../../data/author.ts'
import { client } from '../../data/services.ts'
import { useTexts } from '../../texts/texts.ts'
import { readDuration } from '../../time/durations.ts'
import { MayButton, MayNote } from '../../widgets/may-button.tsx'
import { Failure } from '../../widgets/states.tsx'
import classes from './alerts-page.module.css'

const untilResolved = 'resolved'
const durations = ['1h', '4h', '8h', '1d', '3d']
/** Requests under way at once. */
const lanes = 6

/** Acknowledges alerts, so that their notifications are not repeated. */
export function AcknowledgeForm({
  alerts,
  onDone,
  onCancel,
}: {
  alerts: readonly Alert[]
  onDone: () => void
  onCancel: () => void
}): ReactNode {
  const texts = useTexts()
  const [by, setBy, isKnown] = useAuthor()
  const [comment, setComment] = useState('')
  const [until, setUntil] = useState(untilResolved)
  const [wasSent, setSent] = useState(false)
  const save = useMutation({
    mutationFn: async () => {
      if (!isKnown) rememberAuthor(by)
      const lengthMs = readDuration(until)
      const end = lengthMs && { until: new Date(Date.now() + lengthMs).toISOString() }
      const rest = alerts.map(({ fingerprint }) => fingerprint)
      const lane = async (): Promise<void> => {
        for (let fingerprint = rest.pop(); fingerprint !== undefined; fingerprint = rest.pop()) {
          await client.alerts.acknowledge({ fingerprint, by, comment, ...end })
        }
      }
      await Promise.all(Array.from({ length: lanes }, lane))
    },
    onSuccess: onDone,
  })
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        setSent(true)
        if (by !== '') save.mutate()
      }}
    >
      <MayNote action="alerts:acknowledge" />
      <p className={classes.explanation}>{texts.acknowledge.explanation(alerts.length)}</p>
      <TextInput
        label={texts.acknowledge.by}
        value={by}
        readOnly={isKnown}
        autoComplete="username"
        onChange={({ currentTarget }) => setBy(currentTarget.value)}
        error={wasSent && by === '' ? texts.silences.required : undefined}
      />
      <TextInput
        label={texts.silences.comment}
        value={comment}
        data-autofocus
        onChange={({ currentTarget }) => setComment(currentTarget.value)}
      />
      <Select
        label={texts.acknowledge.until}
        value={until}
        allowDeselect={false}
        onChange={(chosen) => setUntil(chosen ?? untilResolved)}
        data={[
          { value: untilResolved, label: texts.acknowledge.untilResolved },
          ...durations.map((value) => ({ value, label: texts.acknowledge.for(value) })),
        ]}
      />
      {save.error !== null && <Failure error={save.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          {texts.silences.cancel}
        </Button>
        <MayButton action="alerts:acknowledge" type="submit" loading={save.isPending}>
          {texts.acknowledge.do}
        </MayButton>
      </Group>
    </form>
  )
}
