import { describe, expect, it } from 'vitest'
import { captureServer, type GivenAnswer } from '../../../http/capture-server.fixture.ts'
import { createManualClock } from '../../../testing/index.ts'
import { webhookPayload } from '../../notification/webhook-payload.ts'
import { configured } from '../configured.fixture.ts'
import { deliver, describeDelivery, renderedNotification, testPorts } from '../delivery.fixture.ts'
import type { SampleOptions } from '../notifier.fixture.ts'
import { webhook } from './notifier.ts'

describeDelivery({
  kind: webhook,
  settings: (url) => ({ url: `${url}/hooks/s3cret?key=k3y` }),
  secrets: ['s3cret', 'k3y'],
})

const { signal } = new AbortController()

/** The body that the server receives for a notification. */
async function bodyOf(settings: object, notification: SampleOptions = {}): Promise<string> {
  const { requests } = await deliver({
    kind: webhook,
    settings: (url) => ({ url, ...settings }),
    notification,
  })
  return requests[0]?.body ?? ''
}

describe('the request', () => {
  it.each([
    [
      { url: '/w?x=1', http_config: { basic_auth: { username: 'bu', password: 'bp' } } },
      'Basic YnU6YnA=',
    ],
    [
      { url: '/w2', http_config: { authorization: { type: 'Token', credentials: 'abc' } } },
      'Token abc',
    ],
  ])(
    'is a POST of JSON with the headers of http_config: %o',
    async ({ url: path, http_config }, authorization) => {
      const { requests } = await deliver({
        kind: webhook,
        settings: (url) => ({ url: url + path, http_config }),
      })
      expect(requests).toHaveLength(1)
      expect(requests[0]).toMatchObject({ method: 'POST', path })
      expect(requests[0]?.headers).toMatchObject({
        authorization,
        'content-type': 'application/json',
        'user-agent': 'Alertmanager/0.25.0',
      })
    },
  )

  it.each([false, true])('has the payload of version 4 (resolved: %s)', async (resolved) => {
    const expected = webhookPayload(renderedNotification({ resolved }), {
      version: '4',
      truncatedAlerts: 0,
    })
    expect(await bodyOf({}, { resolved })).toBe(expected)
  })

  it.each([
    [1, 1, 1],
    [2, 2, 0],
    [3, 2, 0],
    [0, 2, 0],
  ])('has at most max_alerts alerts: %i', async (max_alerts, kept, truncatedAlerts) => {
    const notification = renderedNotification()
    expect(await bodyOf({ max_alerts })).toBe(
      webhookPayload(notification.first(kept), { version: '4', truncatedAlerts }),
    )
  })
})

describe('the URL', () => {
  it('may be a template', async () => {
    const { requests } = await deliver({
      kind: webhook,
      settings: (url) => ({ url: `${url}/{{ .CommonLabels.severity }}?n={{ len .Alerts }}` }),
    })
    expect(requests[0]?.path).toBe('/critical?n=2')
  })

  it('that is empty after rendering is a final failure', async () => {
    const { result, requests } = await deliver({
      kind: webhook,
      settings: () => ({ url: '{{ .CommonLabels.url }}' }),
    })
    expect(result).toEqual({
      outcome: 'failed',
      reason: 'other',
      detail: 'webhook URL is empty after templating',
    })
    expect(requests).toEqual([])
  })

  it('that cannot be rendered is a final failure that does not show the template', async () => {
    const integration = configured('webhook', { url: 'http://h/s3cret{{ .No }}' })
    const notified = webhook.create(integration, testPorts()).notify(renderedNotification(), signal)
    await expect(notified).rejects.toMatchObject({
      reason: 'TemplateExecution',
      message: 'the template url cannot be rendered',
    })
  })

  it('comes from a file, read again for each notification', async () => {
    const { url, requests } = await captureServer()
    let content = `${url}/a\n`
    const integration = configured('webhook', { url_file: '/run/url' })
    const notifier = webhook.create(integration, testPorts({ readFile: async () => content }))
    await notifier.notify(renderedNotification(), signal)
    content = ` ${url}/{{ .Status }} `
    await notifier.notify(renderedNotification(), signal)
    expect(requests.map(({ path }) => path)).toEqual(['/a', '/firing'])
  })

  it('whose file cannot be read is a final failure', async () => {
    const integration = configured('webhook', { url_file: '/run/url' })
    const notifier = webhook.create(integration, testPorts())
    await expect(notifier.notify(renderedNotification(), signal)).rejects.toThrow('/run/url')
  })
})

describe('payload', () => {
  it('replaces the body: strings are templates, and results that are YAML become values', async () => {
    const payload = {
      text: '{{ .CommonLabels.alertname }} <{{ .Status }}>',
      '{{ .Status }}': [1, true, null, '{{ len .Alerts }}'],
      alerts: '{{ toJson .Alerts }}',
      nested: { missing: '{{ .CommonLabels.none }}' },
    }
    const body = await bodyOf({ payload })
    const { alerts } = JSON.parse(await bodyOf({})) as { alerts: object[] }
    expect(JSON.parse(body)).toEqual({
      text: 'DiskFull <firing>',
      firing: [1, true, null, 2],
      alerts,
      nested: { missing: null },
    })
    expect(body).toMatch(/^\{"alerts":.*,"text":"DiskFull \\u003cfiring\\u003e"\}\n$/)
  })

  it('may be a single text', async () => {
    expect(await bodyOf({ payload: 'is {{ .Status }}' })).toBe('"is firing"\n')
    expect(await bodyOf({ payload: '{{ toJson .GroupLabels }}' })).toBe(
      '{"alertname":"DiskFull"}\n',
    )
  })

  it('includes only max_alerts alerts', async () => {
    expect(await bodyOf({ payload: { n: '{{ len .Alerts }}' }, max_alerts: 1 })).toBe('{"n":1}\n')
  })

  it('that cannot be rendered is a final failure', async () => {
    const integration = configured('webhook', { url: 'http://h/', payload: ['{{ .No }}'] })
    const notified = webhook.create(integration, testPorts()).notify(renderedNotification(), signal)
    await expect(notified).rejects.toMatchObject({ reason: 'TemplateExecution' })
  })
})

it('is retried after its timeout', async () => {
  const clock = createManualClock()
  const { url } = await captureServer(() => {
    clock.advance(20)
    return new Promise<GivenAnswer>(() => {})
  })
  const integration = configured('webhook', { url, timeout: '20ms' })
  const notifier = webhook.create(integration, testPorts({ clock }))
  expect(await notifier.notify(renderedNotification(), signal)).toEqual({
    outcome: 'retry',
    reason: 'contextDeadlineExceeded',
    detail: 'Post "<redacted>": context deadline exceeded',
    mayHaveArrived: true,
  })
})
