import { goJson } from '@gatehouse/go-template/json'
import { describe, expect, it } from 'vitest'
import { type CapturedRequest, captureServer } from '../../../http/capture-server.fixture.ts'
import { createManualClock } from '../../../testing/index.ts'
import {
  comparable,
  configured,
  recordedIntegration,
  recordedRequests,
} from '../configured.fixture.ts'
import {
  deliver,
  describeDelivery,
  portsInsteadOf,
  renderedNotification,
  testPorts,
} from '../delivery.fixture.ts'
import type { SampleOptions } from '../notifier.fixture.ts'
import { pagerduty } from './notifier.ts'

const hash = '17c4e445d234645c9e547ff6d32a864af0ebdadcd1902771c24c8d366637ff41'

/** Instead of the default details. */
const shortDetails = { firing: 'f', resolved: 'r', num_firing: 'nf', num_resolved: 'nr' }
const shortDetailsJson = '{"firing":"f","num_firing":"nf","num_resolved":"nr","resolved":"r"}'

const toldAlert = (instance: string, given: object): object => ({
  status: 'firing',
  labels: { alertname: 'DiskFull', instance, severity: 'critical' },
  annotations: { summary: 'Disk <full> & "hot"' },
  startsAt: '2026-11-21T00:00:00Z',
  endsAt: '0001-01-01T00:00:00Z',
  generatorURL: '',
  ...given,
})

async function sent(
  given: object,
  notification: SampleOptions = {},
  portsFor = (_url: string) => testPorts(),
): Promise<CapturedRequest> {
  const { requests } = await deliver({
    kind: pagerduty,
    settings: (url) => ({ url: `${url}/pdv2`, details: shortDetails, ...given }),
    portsFor: (url) => ({
      ...portsFor(url),
      readFile: async (path) => `in${path}-{{ .Status }}\n`,
    }),
    answer: () => ({ status: 202 }),
    notification,
  })
  expect(requests).toHaveLength(1)
  return requests[0] ?? expect.unreachable()
}

const answered = async (status: number, body: string) =>
  (
    await deliver({
      kind: pagerduty,
      settings: (url) => ({ url, routing_key: 'r0uting' }),
      answer: () => ({ status, body }),
    })
  ).result

describe('API v2', () => {
  describeDelivery({
    kind: pagerduty,
    settings: (url) => ({ url: `${url}/v2/enqueue`, routing_key: 'r0uting' }),
    secrets: ['r0uting'],
    accepted: { status: 202, body: '{"status":"success"}' },
    isRetried: (status) => status === 429 || status >= 500,
  })

  it('sends all configured fields, rendered, in order', async () => {
    const { method, path, headers, body } = await sent({
      routing_key: 'rk',
      description: 'd-{{ .Status }} <b>',
      severity: 's-{{ .Status }}',
      class: 'cl-{{ .Status }}',
      component: 'co-{{ .Status }}',
      group: 'g-{{ .Status }}',
      source: 'so-{{ .Status }}',
      client: 'c-{{ .Status }}',
      client_url: 'http://c/{{ .Status }}',
      images: [{ src: 'i-{{ .Status }}' }, { src: '{{ "" }}', alt: 'a', href: 'h' }],
      links: [{ href: 'l-{{ .Status }}' }, { href: '', text: 't' }],
    })
    expect([method, path, headers['content-type']]).toEqual(['POST', '/pdv2', 'application/json'])
    expect(body).toBe(
      `{"routing_key":"rk","dedup_key":"${hash}","event_action":"trigger","payload":{` +
        '"summary":"d-firing \\u003cb\\u003e","source":"so-firing","severity":"s-firing",' +
        '"class":"cl-firing","component":"co-firing","group":"g-firing",' +
        `"custom_details":${shortDetailsJson}},"client":"c-firing","client_url":"http://c/firing",` +
        '"images":[{"src":"i-firing","alt":"","href":""}],' +
        '"links":[{"href":"l-firing","text":""}]}\n',
    )
  })

  it('leaves out empty fields, and sets the client as the source', async () => {
    const { body } = await sent(
      { routing_key: 'rk', description: 'd', client: 'c', client_url: '' },
      { resolved: true },
    )
    expect(body).toBe(
      `{"routing_key":"rk","dedup_key":"${hash}","event_action":"resolve","payload":{` +
        `"summary":"d","source":"c","severity":"error","custom_details":${shortDetailsJson}},` +
        '"client":"c"}\n',
    )
  })

  it('has a severity even if its template is empty', async () => {
    const { body } = await sent({ routing_key: 'rk', severity: '{{ .CommonLabels.sev }}' })
    expect(JSON.parse(body)).toMatchObject({ payload: { severity: 'error' } })
  })

  it('truncates a summary that is too long', async () => {
    const { body } = await sent({ routing_key: 'rk', description: 'é'.repeat(1_025) })
    expect(JSON.parse(body)).toMatchObject({ payload: { summary: `${'é'.repeat(1_023)}…` } })
  })

  describe.each(['firing', 'resolved'] as const)('%s', (phase) => {
    // Since the recording, the details are the alerts themselves.
    const alerts = (status: string): readonly object[] => {
      if (status !== phase) return []
      const given = { status, ...(status === 'resolved' ? { endsAt: '2026-11-21T00:01:00Z' } : {}) }
      return [
        toldAlert('h0:9100', {
          ...given,
          startsAt: '2026-11-21T00:00:01Z',
          fingerprint: 'bf26b2dbb856d55b',
        }),
        toldAlert('h1:9100', {
          ...given,
          annotations: { runbook: 'http://rb/', summary: 'Disk <full> & "hot"' },
          generatorURL: 'http://prom/graph?g0.expr=a&g0.tab=1',
          fingerprint: '4cd25d08a4006c44',
        }),
      ]
    }
    const details = {
      firing: alerts('firing'),
      num_firing: alerts('firing').length,
      num_resolved: alerts('resolved').length,
      resolved: alerts('resolved'),
    }

    it('is sent as recorded', async () => {
      const { url, requests } = await captureServer(() => ({ status: 202 }))
      const notifier = pagerduty.create(recordedIntegration('pagerduty', url), testPorts())
      const notification = renderedNotification({ resolved: phase === 'resolved' })
      await notifier.notify(notification, new AbortController().signal)
      const found = recordedRequests(phase, ['pagerduty v2'])
      const [{ body = '' } = {}] = found
      const event = JSON.parse(body)
      const expected = { ...event, payload: { ...event.payload, custom_details: details } }
      const [request] = comparable(requests)
      expect(request).toEqual({ ...found[0], body: expect.any(String) })
      expect(JSON.parse(request?.body ?? '')).toEqual(expected)
      const withoutDetails = (text: string): string =>
        text.replace(/"custom_details":\{.*\}\},"client"/, '"client"')
      expect(withoutDetails(request?.body ?? '')).toBe(withoutDetails(body))
    })
  })
})

describe('API v1', () => {
  const portsFor = (url: string) => portsInsteadOf('https://events.pagerduty.com', url)

  describeDelivery({
    kind: pagerduty,
    settings: () => ({ service_key: 's3rvice' }),
    portsFor,
    secrets: ['s3rvice'],
    isRetried: (status) => status === 403 || status >= 500,
  })

  const settings = { service_key: 'sk', routing_key: 'rk', client_url: 'http://c/{{ .Status }}' }

  it('names the client when it opens an incident', async () => {
    const { path, body } = await sent({ ...settings, description: 'd-{{ .Status }}' }, {}, portsFor)
    expect(path).toBe('/generic/2010-04-15/create_event.json')
    expect(body).toBe(
      `{"service_key":"sk","incident_key":"${hash}","event_type":"trigger",` +
        '"description":"d-firing","event_action":"","payload":null,"client":"Alertmanager",' +
        `"client_url":"http://c/firing","details":${shortDetailsJson}}\n`,
    )
  })

  it('does not name it when it resolves one', async () => {
    const notification = { resolved: true }
    const { body } = await sent({ ...settings, description: '' }, notification, portsFor)
    expect(body).toBe(
      `{"service_key":"sk","incident_key":"${hash}","event_type":"resolve",` +
        `"event_action":"","payload":null,"details":${shortDetailsJson}}\n`,
    )
  })

  it('truncates a description that is too long', async () => {
    const description = '😀'.repeat(1_025)
    const { body } = await sent({ ...settings, description }, {}, portsFor)
    expect(JSON.parse(body)).toMatchObject({ description: `${'😀'.repeat(1_023)}…` })
  })

  it('leaves out details that are too large', async () => {
    const details = { ...shortDetails, more: 'x'.repeat(512_000) }
    const { body } = await sent({ ...settings, details }, {}, portsFor)
    expect(JSON.parse(body).details).toEqual({ error: expect.stringContaining('512KB') })
  })
})

describe('the key', () => {
  it.each([
    { given: { routing_key: 'k-{{ .Status }}' }, key: 'k-firing' },
    { given: { routing_key_file: '/k' }, key: 'in/k-firing' },
  ])('of $given may be a template', async ({ given, key }) => {
    expect(JSON.parse((await sent(given)).body)).toMatchObject({ routing_key: key })
  })

  it('of v1 may come from a file', async () => {
    const { body } = await sent({ service_key_file: '/k' }, {}, (url) =>
      portsInsteadOf('https://events.pagerduty.com', url),
    )
    expect(JSON.parse(body)).toMatchObject({ service_key: 'in/k-firing' })
  })

  it.each(['routing_key', 'service_key'])(
    '%s must not be empty: the API would refuse it, or worse, accept it',
    async (name) => {
      const settings = { [name]: '{{ .CommonLabels.no }}', url: 'http://127.0.0.1:1' }
      const notifier = pagerduty.create(configured('pagerduty', settings), testPorts())
      const { signal } = new AbortController()
      expect(await notifier.notify(renderedNotification(), signal)).toEqual({
        outcome: 'failed',
        reason: 'other',
        detail: `the ${name} is empty after rendering`,
      })
    },
  )

  it('is not part of an error', async () => {
    const settings = { routing_key: '{{ "k3y" | no }}', url: 'http://127.0.0.1:1' }
    const notifier = pagerduty.create(configured('pagerduty', settings), testPorts())
    const notified = notifier.notify(renderedNotification(), new AbortController().signal)
    await expect(notified).rejects.toThrow('the template routing_key cannot be rendered')
  })
})

describe('the details', () => {
  const detailsOf = async (details: object): Promise<unknown> => {
    const { body } = await sent({ routing_key: 'rk', details: { ...shortDetails, ...details } })
    return JSON.parse(body).payload.custom_details
  }

  it('are rendered at every depth, and texts that are YAML become values', async () => {
    expect(
      await detailsOf({
        plain: '{{ .Status }}',
        number: '{{ len .Alerts }}',
        list: ['{{ .Status }}', { 'k-{{ .Status }}': '{{ .GroupLabels | toJson }}' }],
        firing: 7,
      }),
    ).toEqual({
      ...shortDetails,
      plain: 'firing',
      number: 2,
      list: ['firing', { 'k-firing': { alertname: 'DiskFull' } }],
      firing: 7,
    })
  })

  it('are removed from an event of more than 512,000 bytes', async () => {
    const base = (await sent({ routing_key: 'rk', details: { more: '"' } })).body
    const emptyBytes = new TextEncoder().encode(base).length - 2
    const room = 512_000 - emptyBytes
    const fitting = 'é'.repeat(Math.floor(room / 2)) + 'x'.repeat(room % 2)
    const whole = await sent({ routing_key: 'rk', details: { more: fitting } })
    expect(new TextEncoder().encode(whole.body)).toHaveLength(512_000)
    expect(JSON.parse(whole.body).payload.custom_details).toMatchObject({ more: fitting })

    const { body } = await sent({ routing_key: 'rk', details: { more: `${fitting}x` } })
    expect(goJson(JSON.parse(body).payload.custom_details)).toBe(
      '{"error":"Custom details have been removed because the original event exceeds the maximum size of 512KB"}',
    )
  })
})

describe('a response that the event is invalid', () => {
  it('is reported in its words', async () => {
    const body =
      '{"status":"invalid event","message":"Event object is invalid","errors":["no r0uting","two"]}'
    expect(await answered(400, body)).toEqual({
      outcome: 'failed',
      reason: 'clientError',
      detail: 'unexpected status code 400: Event object is invalid: no <secret>,two',
    })
  })

  it.each([
    ['{"message":"m"}', 'm'],
    ['{"message":1,"errors":["e"]}', '{"message":1,"errors":["e"]}'],
    ['<html>', '<html>'],
  ])('is reported unchanged otherwise: %s', async (body, details) => {
    expect(await answered(400, body)).toMatchObject({
      detail: `unexpected status code 400: ${details}`,
    })
  })
})

it('ends an attempt at its timeout, to be retried', async () => {
  const clock = createManualClock()
  const { url } = await captureServer(() => {
    clock.advance(20)
    return new Promise<never>(() => {})
  })
  const integration = configured('pagerduty', { url, routing_key: 'rk', timeout: '20ms' })
  const notifier = pagerduty.create(integration, testPorts({ clock }))
  const { signal } = new AbortController()
  expect(await notifier.notify(renderedNotification(), signal)).toMatchObject({
    outcome: 'retry',
    reason: 'contextDeadlineExceeded',
  })
})

it('rejects a template that cannot be rendered', async () => {
  await expect(sent({ routing_key: 'rk', details: { a: ['{{ .No }}'] } })).rejects.toMatchObject({
    reason: 'TemplateExecution',
  })
})
