import { expect, it } from 'vitest'
import { startMailServer } from '../../../../../test-support/mail-server.ts'
import { captureServer } from '../../http/capture-server.fixture.ts'
import { createManualClock } from '../../testing/index.ts'
import { listAlerts } from '../alerts/list-alerts.ts'
import type { Notification } from '../notification/notification.ts'
import type { Notifier, NotifyResult } from '../receivers/notifier.ts'
import { createFixture } from '../service.fixture.ts'
import { testReceiver } from './test-receiver.ts'

const withReceiver = (receiver: object): string =>
  JSON.stringify({ route: { receiver: 'team' }, receivers: [{ name: 'team', ...receiver }] })

/** A notifier that keeps its notifications and returns the result of `answer`. */
function createRecorder(answer: (signal: AbortSignal) => NotifyResult | Promise<NotifyResult>) {
  const notifications: Notification[] = []
  const notifier: Notifier = {
    name: 'test',
    async notify(notification, signal) {
      notifications.push(notification)
      return answer(signal)
    },
  }
  return { notifications, notifier }
}

it('sends through each integration once, and returns the results', async () => {
  const server = await captureServer(({ path }) => ({ status: Number(path.slice(1)), body: 'why' }))
  const { alerts } = createFixture({
    config: withReceiver({
      webhook_configs: [200, 503, 404].map((status) => ({ url: `${server.url}/${status}` })),
      slack_configs: [{ api_url: `${server.url}/200`, channel: '#c' }],
    }),
  })
  const tested = await testReceiver(alerts, 'team', { alerts: [{ status: 'resolved' }] })
  const detail = (status: number): string => `unexpected status code ${status}: why`
  expect(tested).toEqual([
    { integration: 'webhook/0', result: { outcome: 'sent' }, tookMs: 0 },
    {
      integration: 'webhook/1',
      result: { outcome: 'retry', reason: 'serverError', detail: detail(503) },
      tookMs: 0,
    },
    {
      integration: 'webhook/2',
      result: { outcome: 'failed', reason: 'clientError', detail: detail(404) },
      tookMs: 0,
    },
    {
      integration: 'slack/0',
      result: {
        outcome: 'skipped',
        detail: 'send_resolved is false, and all alerts are resolved',
      },
      tookMs: 0,
    },
  ])
  expect(server.requests).toHaveLength(3)
})

it('returns each message if it is wanted, and whether it was sent like that', async () => {
  const server = await captureServer(() => ({ status: 200, body: '{}' }))
  const { port, mails } = await startMailServer()
  const mail = {
    smarthost: `127.0.0.1:${port}`,
    from: 'am@example.org',
    to: 'team@example.org',
    require_tls: false,
    html: '',
  }
  const { alerts } = createFixture({
    clock: createManualClock(Date.UTC(2026, 10, 21)),
    config: withReceiver({
      webhook_configs: [{ url: `${server.url}/token-in-path` }],
      pagerduty_configs: [{ url: server.url, routing_key: 'a key in the body' }],
      email_configs: [{ ...mail, text: 'about {{ .CommonLabels.disk }}' }],
    }),
  })
  const sample = { alerts: [{ labels: { disk: 'a' } }] }
  const tested = await testReceiver(alerts, 'team', { ...sample, message: true })
  expect(tested.map(({ integration, isAsSent }) => [integration, isAsSent])).toEqual(
    expect.arrayContaining([
      ['webhook/0', true],
      ['pagerduty/0', false],
      ['email/0', true],
    ]),
  )
  const of = (name: string) => tested.find(({ integration }) => integration === name)?.message
  const bodies = server.requests.map(({ body }) => body)
  expect(bodies).toContain(of('webhook/0')?.requests[0]?.body)
  expect(of('email/0')?.mail?.parts).toEqual([
    expect.objectContaining({ text: expect.stringContaining('about a') }),
  ])
  expect(mails).toHaveLength(1)
  expect(bodies.join()).toContain('a key in the body')
  expect(JSON.stringify(tested)).not.toMatch(/a key in the body|token-in-path/)
  const [first] = await testReceiver(alerts, 'team', sample)
  expect(first).not.toHaveProperty('message')
})

it('calls notifiers made in code too, and reports what they throw as a failure', async () => {
  const good = createRecorder(() => ({ outcome: 'sent' }))
  const bad = createRecorder(() => Promise.reject(new Error('no pager')))
  const { alerts } = createFixture({
    config: withReceiver({}),
    notifiers: { team: [good.notifier, bad.notifier] },
  })
  const labels = { alertname: 'DiskFull', disk: 'a' }
  const tested = await testReceiver(alerts, 'team', { alerts: [{ labels }] })
  expect(tested.map(({ integration, result }) => [integration, result])).toEqual([
    ['code:test/0', { outcome: 'sent' }],
    ['code:test/1', { outcome: 'failed', reason: 'other', detail: 'no pager' }],
  ])
  expect(good.notifications).toMatchObject([{ reason: 'first notification', commonLabels: labels }])
})

it('leaves no trace in metrics and alerts', async () => {
  const { notifications, notifier } = createRecorder(() => ({ outcome: 'sent' }))
  const { alerts } = createFixture({ notifiers: { default: [notifier] } })
  const before = await alerts.metrics.expose(null)
  await testReceiver(alerts, 'default')
  expect(notifications).toHaveLength(1)
  expect(await alerts.metrics.expose(null)).toEqual(before)
  expect(await listAlerts(alerts)).toEqual([])
})

it('ends an attempt that takes too long', async () => {
  const clock = createManualClock()
  const { notifier } = createRecorder(
    (signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  )
  const { alerts } = createFixture({ clock, notifiers: { default: [notifier] } })
  const testing = testReceiver(alerts, 'default', { timeoutMs: 500 })
  clock.advance(499)
  expect(clock.pendingTimers).toBe(1)
  clock.advance(1)
  expect(await testing).toEqual([
    {
      integration: 'code:test/0',
      result: { outcome: 'failed', reason: 'other', detail: 'the test took too long' },
      tookMs: 500,
    },
  ])
  expect(clock.pendingTimers).toBe(0)
})

it('refuses an unknown receiver', async () => {
  const { alerts } = createFixture()
  await expect(testReceiver(alerts, 'nobody')).rejects.toMatchObject({ reason: 'ReceiverNotFound' })
})
