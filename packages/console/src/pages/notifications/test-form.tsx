import type { RenderedIntegration, TestedIntegration } from '@gatehouse/client'
import { Button, Group, SegmentedControl, Select, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { client } from '../../data/services.ts'
import { labelsOf } from '../../routing/on-path.ts'
import { useTexts } from '../../texts/texts.ts'
import { Icon } from '../../widgets/icon.tsx'
import { MayButton } from '../../widgets/may-button.tsx'
import { Failure } from '../../widgets/states.tsx'
import { visible } from '../../widgets/visible.ts'
import { Message } from './message.tsx'
import classes from './notifications-page.module.css'

/** Sends a test notification to a receiver, and shows how each integration answered. */
export function TestForm({
  receiver: initial,
  onCancel,
}: {
  receiver: string
  onCancel: () => void
}): ReactNode {
  const texts = useTexts()
  const { notifications } = texts
  const [receiver, setReceiver] = useState(initial)
  const [written, setWritten] = useState('alertname="TestAlert", severity="info"')
  const [status, setStatus] = useState<'firing' | 'resolved'>('firing')
  const receivers = useQuery({
    queryKey: ['receivers'],
    queryFn: ({ signal }) => client.receivers({}, { signal }),
  })
  const [wasSent, setSent] = useState(false)
  const labels = labelsOf(written)
  const test = useMutation({
    mutationFn: () =>
      client.testReceiver({
        receiver,
        alerts: [
          {
            labels: labels ?? {},
            annotations: { summary: notifications.testSummary },
            status,
          },
        ],
      }),
  })
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        setSent(true)
        if (receiver !== '' && labels !== undefined) test.mutate()
      }}
    >
      <p className={classes.quiet}>{notifications.testDetail}</p>
      {receivers.error !== null && <Failure error={receivers.error} />}
      <Select
        label={notifications.receiver}
        searchable
        allowDeselect={false}
        value={receiver === '' ? null : receiver}
        data-autofocus={initial === '' || undefined}
        onChange={(chosen) => setReceiver(chosen ?? '')}
        error={wasSent && receiver === '' ? texts.silences.required : undefined}
        data={(receivers.data ?? []).map(({ name }) => name)}
      />
      <TextInput
        label={notifications.testLabels}
        value={written}
        data-autofocus={initial !== '' || undefined}
        spellCheck={false}
        onChange={({ currentTarget }) => setWritten(currentTarget.value)}
        error={labels === undefined ? texts.routing.onlyEqual : undefined}
      />
      <SegmentedControl
        aria-label={texts.alerts.state}
        value={status}
        onChange={(chosen) => setStatus(chosen === 'resolved' ? 'resolved' : 'firing')}
        data={[
          { value: 'firing', label: notifications.states.firing },
          { value: 'resolved', label: notifications.states.resolved },
        ]}
      />
      <div role="status">
        {test.isPending && <p className={classes.quiet}>{notifications.testWaits}</p>}
        {test.data !== undefined && !test.isPending && <Results results={test.data} />}
      </div>
      {test.error !== null && <Failure error={test.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          {texts.keys.close}
        </Button>
        <MayButton action="receivers:test" type="submit" loading={test.isPending}>
          {notifications.sendTest}
        </MayButton>
      </Group>
    </form>
  )
}

function Results({ results }: { results: readonly TestedIntegration[] }): ReactNode {
  const { notifications } = useTexts()
  if (results.length === 0) return <p>{notifications.noIntegrations}</p>
  return (
    <ul className={classes.results}>
      {results.map(({ integration, result, tookMs, message, isAsSent = false }) => (
        <li key={integration}>
          <span
            className={classes.outcome}
            data-outcome={result.outcome === 'retry' ? 'failed' : result.outcome}
          >
            <Icon name={result.outcome === 'sent' ? 'check' : 'warning'} size={15} />
            {notifications.testOutcomes[result.outcome]}
          </span>{' '}
          <bdi>{integration}</bdi> <span className={classes.quiet}>{Math.round(tookMs)} ms</span>
          {result.detail !== undefined && (
            <pre className={classes.text} dir="auto">
              {visible(result.detail)}
            </pre>
          )}
          {message !== undefined && hasContent(message) && (
            <details>
              <summary>{notifications.message}</summary>
              <Message
                message={message}
                about={isAsSent ? notifications.asSent : notifications.renderedForTest}
              />
            </details>
          )}
        </li>
      ))}
    </ul>
  )
}

/** A webhook of this server gets its values without a request. */
const hasContent = ({ requests, mail }: RenderedIntegration): boolean =>
  requests.length > 0 || mail !== undefined
