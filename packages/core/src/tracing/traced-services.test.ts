import { trace } from '@opentelemetry/api'
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node'
import { afterAll, afterEach, expect, it } from 'vitest'
import { postAlerts } from '../alerts/alerts/post-alerts.ts'
import { createFixture as createAlertsFixture } from '../alerts/service.fixture.ts'
import { startDispatcher } from '../alerts/start/start-dispatcher.ts'
import { createUser } from '../auth/people/create-user.ts'
import { startFlow, testAuth } from '../auth/service.fixture.ts'
import { runWebhook } from '../webhook/run-webhook.ts'
import { createFixture as createWebhooksFixture } from '../webhook/service.fixture.ts'
import { inSpan } from './in-span.ts'
import type { Tracer } from './tracer.ts'

const exporter = new InMemorySpanExporter()
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
provider.register()
const tracer: Tracer = provider.getTracer('test')

afterEach(() => exporter.reset())
afterAll(() => provider.shutdown())

/** Spans that have ended, by name. */
function spans(name: string): ReadableSpan[] {
  return exporter.getFinishedSpans().filter((span) => span.name === name)
}

function only(name: string): ReadableSpan {
  const [span, ...more] = spans(name)
  if (span === undefined || more.length > 0) throw new Error(`${more.length + 1} spans ${name}`)
  return span
}

/** Runs a request of the app in a span of its own. */
const request = <T>(work: () => Promise<T>): Promise<T> =>
  inSpan(tracer, { name: 'request', options: () => ({}) }, work)

const isChild = (span: ReadableSpan, parent: ReadableSpan): boolean =>
  span.parentSpanContext?.spanId === parent.spanContext().spanId

const team = `
route: { receiver: team, group_by: [alertname], group_wait: 0s }
receivers: [{ name: team }]
`

async function notifyOnce(outcome: 'sent' | 'failed'): Promise<void> {
  const { alerts, clock } = createAlertsFixture({
    config: team,
    tracer,
    notifiers: {
      team: [
        {
          name: 'test',
          notify: async () =>
            outcome === 'sent'
              ? { outcome }
              : { outcome, reason: 'serverError', detail: 'unexpected status code 500' },
        },
      ],
    },
  })
  const dispatcher = startDispatcher(alerts)
  await request(() => postAlerts(alerts, [{ labels: { alertname: 'A' } }]))
  clock.advance(1_000)
  await dispatcher.settled()
  await dispatcher.stop()
}

it('traces a post under its request, and the flush with its notification as a trace of its own', async () => {
  await notifyOnce('sent')
  const post = only('alerts.post')
  expect(isChild(post, only('request'))).toBe(true)
  expect(post.attributes).toEqual({ 'gatehouse.alerts': 1 })
  const flush = only('alerts.flush')
  expect(flush.parentSpanContext).toBeUndefined()
  expect(flush.attributes).toEqual({
    'gatehouse.receiver': 'team',
    'gatehouse.group_key': '{}:{alertname="A"}',
  })
  const notification = only('alerts.notify')
  expect(isChild(notification, flush)).toBe(true)
  expect(notification.attributes).toEqual({
    'gatehouse.integration': 'test',
    'gatehouse.receiver': 'team',
    'gatehouse.group_key': '{}:{alertname="A"}',
    'gatehouse.alerts': 1,
    'gatehouse.attempts': 1,
  })
  expect(notification.status.code).toBe(0)
})

it('marks the spans of a failed notification and of refused alerts', async () => {
  await notifyOnce('failed')
  const notification = only('alerts.notify')
  expect(notification.status).toEqual({ code: 2, message: 'unexpected status code 500' })
  expect(notification.attributes['error.type']).toBe('serverError')

  const { alerts } = createAlertsFixture({ tracer })
  exporter.reset()
  await expect(postAlerts(alerts, [{ labels: { '': 'secret' } }])).rejects.toThrow()
  expect(only('alerts.post').status).toEqual({ code: 2, message: 'InvalidAlerts' })
})

it('traces the steps of a flow without what the user entered', async () => {
  const world = testAuth({ authentication: { primary_authenticators: ['password'] } }, { tracer })
  const login_id = 'maya@harborlight.example'
  await createUser(world.auth, { email: login_id, password: 'tidal-lantern-42' })
  const flow = await startFlow(world, 'login')
  const wrong = { authentication: 'primary_password', password: 'wrong-secret-1' }
  await request(() => flow.input({ identification: 'email', login_id }))
  await flow.input(wrong)
  await flow.input({ ...wrong, password: 'tidal-lantern-42' })

  expect(only('auth.flow.create').attributes).toEqual({
    'gatehouse.auth.flow.type': 'login',
    'gatehouse.auth.flow.name': 'default',
    'gatehouse.auth.flow.action': 'identify',
  })
  const [identified, refused, finished] = spans('auth.flow.advance')
  if (identified === undefined) throw new Error('no span has an id')
  expect(isChild(identified, only('request'))).toBe(true)
  expect(identified.attributes['gatehouse.auth.flow.action']).toBe('authenticate')
  expect(refused?.status).toEqual({ code: 2, message: 'InvalidCredentials' })
  expect(finished?.attributes['gatehouse.auth.flow.action']).toBe('finished')
  const all = exporter.getFinishedSpans()
  const shown = JSON.stringify(
    all.map(({ name, attributes, status, events }) => [name, attributes, status, events]),
  )
  for (const secret of [login_id, 'tidal', 'wrong-secret', flow.token]) {
    expect(shown).not.toContain(secret)
  }
})

it('traces a run from its request to its end, without its data', async () => {
  const { webhooks } = createWebhooksFixture({ tracer, script: (command) => command.end(3) })
  const call = { id: 'job', token: 't', data: { password: 'hush' } }
  await request(() => runWebhook(webhooks, call))
  const run = only('webhook.run')
  expect(isChild(run, only('request'))).toBe(true)
  expect(run.attributes).toEqual({
    'gatehouse.webhook.id': 'job',
    'gatehouse.run.id': expect.stringMatching(/^run_/),
    'gatehouse.run.status': 'failed',
    'gatehouse.run.attempts': 1,
    'gatehouse.run.queued_ms': 0,
    'gatehouse.run.exit_code': 3,
    'error.type': 'exit_code',
  })
  expect(run.status).toEqual({ code: 2, message: 'exit_code' })
})

it('ends the span of a run that is refused', async () => {
  const { webhooks } = createWebhooksFixture({
    tracer,
    config: {
      webhooks: [
        {
          id: 'job',
          token: 't',
          execute_command: 'true',
          workdir: '/',
          concurrency: 1,
          queue: 0,
          on_busy: 'reject',
        },
      ],
    },
  })
  void runWebhook(webhooks, { id: 'job', token: 't' })
  await expect(runWebhook(webhooks, { id: 'job', token: 't' })).rejects.toThrow()
  expect(only('webhook.run').status).toEqual({ code: 2, message: 'queue_full' })
})

it('takes a tracer of the API as it is', async () => {
  const api: Tracer = trace.getTracer('test')
  expect(await inSpan(api, { name: 'x', options: () => ({}) }, async () => 7)).toBe(7)
})

it('calls the work directly without a tracer', async () => {
  const options = () => {
    throw new Error('nobody needs the attributes')
  }
  expect(await inSpan(undefined, { name: 'x', options }, async () => 7)).toBe(7)
})
