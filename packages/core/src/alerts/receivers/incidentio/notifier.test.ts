import { describe, expect, it } from 'vitest'
import { captureServer, type GivenAnswer } from '../../../http/capture-server.fixture.ts'
import { createManualClock } from '../../../testing/index.ts'
import { webhookPayload } from '../../notification/webhook-payload.ts'
import { configured } from '../configured.fixture.ts'
import { deliver, describeDelivery, renderedNotification, testPorts } from '../delivery.fixture.ts'
import { type SampleOptions, sampleAlert } from '../notifier.fixture.ts'
import { incidentio } from './notifier.ts'

const token = { alert_source_token: 't0ken' }

describeDelivery({
  kind: incidentio,
  settings: (url) => ({ url: `${url}/v2/alert_events/s3cret`, ...token }),
  secrets: ['s3cret', 't0ken'],
  isRetried: (status) => status >= 500 || status === 429,
})

const { signal } = new AbortController()

async function bodyOf(settings: object, notification: SampleOptions = {}): Promise<string> {
  const { requests } = await deliver({
    kind: incidentio,
    settings: (url) => ({ url, ...token, ...settings }),
    notification,
  })
  return requests[0]?.body ?? ''
}

describe('the request', () => {
  it('is a POST of JSON with the token', async () => {
    const { requests } = await deliver({
      kind: incidentio,
      settings: (url) => ({ url: `${url}/x`, ...token }),
    })
    expect(requests[0]).toMatchObject({ method: 'POST', path: '/x' })
    expect(requests[0]?.headers).toMatchObject({
      authorization: 'Bearer t0ken',
      'content-type': 'application/json',
    })
  })

  it('reads URL and token from files, again for each notification', async () => {
    const { url, requests } = await captureServer()
    const files = new Map([
      ['/url', `${url}/a\n`],
      ['/token', 'one\n'],
    ])
    const integration = configured('incidentio', {
      url_file: '/url',
      alert_source_token_file: '/token',
    })
    const readFile = async (path: string): Promise<string> => files.get(path) ?? ''
    const notifier = incidentio.create(integration, testPorts({ readFile }))
    await notifier.notify(renderedNotification(), signal)
    files.set('/token', 'two\n')
    await notifier.notify(renderedNotification(), signal)
    expect(requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/a', 'Bearer one'],
      ['/a', 'Bearer two'],
    ])
  })

  it('uses the token of http_config if it has none', async () => {
    const { requests } = await deliver({
      kind: incidentio,
      settings: (url) => ({ url, http_config: { authorization: { credentials: 'theirs' } } }),
    })
    expect(requests[0]?.headers.authorization).toBe('Bearer theirs')
  })

  it.each([false, true])(
    'has the body of a webhook, as version 1 (resolved: %s)',
    async (resolved) => {
      expect(await bodyOf({}, { resolved })).toBe(
        webhookPayload(renderedNotification({ resolved }), { version: '1', truncatedAlerts: 0 }),
      )
    },
  )

  it('has at most max_alerts alerts', async () => {
    expect(await bodyOf({ max_alerts: 1 })).toBe(
      webhookPayload(renderedNotification().first(1), { version: '1', truncatedAlerts: 1 }),
    )
  })
})

describe('a notification that is too large', () => {
  const alertOf = (instance: string, bytes: number): ReturnType<typeof sampleAlert> =>
    sampleAlert({
      labels: { alertname: 'A', instance },
      annotations: { text: 'é'.repeat(bytes / 2) },
    })

  it('is sent with only its first alert, and the number of missing ones', async () => {
    const alerts = ['a', 'b', 'c'].map((instance) => alertOf(instance, 140_000))
    const body = JSON.parse(await bodyOf({}, { alerts }))
    expect(body).toMatchObject({
      alerts: [{ labels: { instance: 'a' } }],
      commonLabels: { alertname: 'A' },
      truncatedAlerts: 2,
    })
    expect(body.commonLabels).not.toHaveProperty('instance')
    expect(JSON.parse(await bodyOf({ max_alerts: 2 }, { alerts })).alerts).toHaveLength(2)
  })

  it('is sent although one alert is too large', async () => {
    const body = JSON.parse(await bodyOf({}, { alerts: [alertOf('a', 600_000)] }))
    expect(body).toMatchObject({ alerts: [{ labels: { instance: 'a' } }], truncatedAlerts: 0 })
  })
})

it.each([
  [{ message: 'bad', error: 'worse', errors: ['a', 'b'] }, 'bad: worse: a, b'],
  [{ errors: ['only t0ken'] }, 'only <secret>'],
  [{ error: 'worse' }, 'worse'],
  [{ other: 'x' }, '{"other":"x"}'],
  [{ message: 1, errors: [2] }, '{"message":1,"errors":[2]}'],
])('reports the error of the API: %o', async (answered, text) => {
  const { result } = await deliver({
    kind: incidentio,
    settings: (url) => ({ url, ...token }),
    answer: (): GivenAnswer => ({ status: 422, body: JSON.stringify(answered) }),
  })
  expect(result).toEqual({
    outcome: 'failed',
    reason: 'clientError',
    detail: `unexpected status code 422: ${text}`,
  })
})

it('is retried after its timeout', async () => {
  const clock = createManualClock()
  const { url } = await captureServer(() => {
    clock.advance(20)
    return new Promise<GivenAnswer>(() => {})
  })
  const integration = configured('incidentio', { url, ...token, timeout: '20ms' })
  const notifier = incidentio.create(integration, testPorts({ clock }))
  expect(await notifier.notify(renderedNotification(), signal)).toMatchObject({
    outcome: 'retry',
    reason: 'contextDeadlineExceeded',
  })
})
