import type { ListedWebhook, TestedDelivery } from '@gatehouse/client'
import { Alert, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { hooks } from '../../data/webhooks.ts'
import { headersOf } from '../../runs/header-lines.ts'
import { useTexts } from '../../texts/texts.ts'
import { MayButton } from '../../widgets/may-button.tsx'
import { Failure } from '../../widgets/states.tsx'
import { visible } from '../../widgets/visible.ts'
import classes from './webhooks-page.module.css'

/** Has the server sign a delivery as the sender of a webhook would, and shows step by step what would happen. */
export function DeliveryTest({ webhook }: { webhook: ListedWebhook }): ReactNode {
  const { webhooks: texts } = useTexts()
  const { id, sender, actions } = webhook
  const [type = 'application/json'] = sender.content_types
  const [method = 'POST'] = sender.methods
  const [body, setBody] = useState('{}')
  const [headers, setHeaders] = useState(`Content-Type: ${type}`)
  const test = useMutation({
    mutationFn: () => hooks.test({ id, body, method, headers: headersOf(headers) }),
  })
  return (
    <section aria-label={texts.test}>
      <h2>{texts.test}</h2>
      <p>{texts.testNote}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          test.mutate()
        }}
      >
        <Textarea
          label={texts.testBody}
          autosize
          minRows={2}
          maxRows={12}
          spellCheck={false}
          value={body}
          onChange={({ currentTarget }) => setBody(currentTarget.value)}
        />
        <Textarea
          label={texts.testHeaders}
          description={texts.testHeadersNote}
          autosize
          minRows={1}
          maxRows={8}
          spellCheck={false}
          value={headers}
          onChange={({ currentTarget }) => setHeaders(currentTarget.value)}
        />
        <MayButton type="submit" action="webhooks:run" granted={actions} variant="default" mt="sm">
          {texts.testSend}
        </MayButton>
      </form>
      {test.error !== null && <Failure error={test.error} />}
      {test.data !== undefined && <Steps tested={test.data} />}
    </section>
  )
}

function Steps({ tested }: { tested: TestedDelivery }): ReactNode {
  const { webhooks: texts } = useTexts()
  const { runs, checks, command } = tested
  return (
    <>
      <Alert
        role="status"
        color={runs ? 'gray' : 'yellow'}
        mt="sm"
        title={runs ? texts.testRuns : texts.testRunsNot}
      >
        <ol>
          {checks.map(({ check, outcome, detail }) => (
            <li key={check}>
              <strong>{texts.outcomes[outcome]}</strong> <bdi>{visible(`${check}: ${detail}`)}</bdi>
            </li>
          ))}
        </ol>
      </Alert>
      {command !== null && (
        <dl className={classes.facts}>
          <div>
            <dt>{texts.testCommand}</dt>
            {command.argv.map((word, nth) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a word is its place
              <dd key={nth}>
                <bdi>{visible(JSON.stringify(word))}</bdi>
              </dd>
            ))}
            {Object.entries(command.variables).map(([name, value]) => (
              <dd key={name}>
                <bdi>{visible(`${name}=${JSON.stringify(value)}`)}</bdi>
              </dd>
            ))}
          </div>
        </dl>
      )}
    </>
  )
}
