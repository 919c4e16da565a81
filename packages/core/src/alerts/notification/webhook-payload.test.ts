import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { resolvedAlert, sampleAlert, sampleNotification } from '../receivers/notifier.fixture.ts'
import { decodeTemplateData } from './decode-template-data.ts'
import { webhookPayload } from './webhook-payload.ts'

interface Recording {
  readonly requests: readonly {
    readonly name: string
    readonly phase: 'firing' | 'resolved'
    readonly bodyRaw?: string
    readonly body: object
  }[]
}

const recording: Recording = JSON.parse(
  readFileSync(new URL('../../../vectors/alerts/receivers.json', import.meta.url), 'utf8'),
)
const recorded = recording.requests.filter(({ name }) => name.startsWith('webhook'))
const options = { version: '4', truncatedAlerts: 0 }
const payloadOf = (given: Parameters<typeof sampleNotification>[0]): Record<string, unknown> =>
  JSON.parse(webhookPayload(sampleNotification(given), options))

/** Adds the members that releases after the recorded one write. */
const withNewKeys = (body: string, reason: string): string =>
  body
    .replace('],"groupLabels"', `],"notification_reason":"${reason}","groupLabels"`)
    .replace(',"externalURL"', ',"routeLabels":{},"externalURL"')

describe('webhookPayload', () => {
  it('equals the recording byte for byte', () => {
    const [bodyRaw = ''] = recorded.map((request) => request.bodyRaw).filter(Boolean)
    expect(webhookPayload(sampleNotification(), options)).toBe(
      withNewKeys(bodyRaw, 'first notification'),
    )
  })

  it.each(recorded)('equals the recording: $name, $phase', ({ phase, body }) => {
    const payload = payloadOf({ resolved: phase === 'resolved' })
    const { notification_reason, routeLabels, ...known } = payload
    const anyEnd = (text: string): string =>
      phase === 'firing' ? text : text.replace(/"endsAt":"[^"]*"/g, '"endsAt":"<time>"')
    expect(anyEnd(JSON.stringify(known))).toBe(JSON.stringify(body))
    expect(routeLabels).toEqual({})
    expect(notification_reason).toBe(
      phase === 'firing' ? 'first notification' : 'all alerts resolved',
    )
  })

  it('writes times with their full precision and their own offset', () => {
    const startsAt = Date.UTC(2026, 0, 2, 3, 4, 5)
    const timesOf = (given: Parameters<typeof sampleAlert>[0]): unknown => {
      const { alerts } = payloadOf({ alerts: [sampleAlert(given)] })
      const [alert] = alerts as { startsAt: string; endsAt: string }[]
      return [alert?.startsAt, alert?.endsAt]
    }
    const zero = '0001-01-01T00:00:00Z'
    expect(timesOf({ startsAt })).toEqual(['2026-01-02T03:04:05Z', zero])
    expect(timesOf({ startsAt: startsAt + 5_000 })).toEqual(['2026-01-02T03:04:10Z', zero])
    expect(timesOf({ startsAt: startsAt + 500 })).toEqual(['2026-01-02T03:04:05.5Z', zero])
    expect(timesOf({ startsAt: startsAt + 120, endsAt: startsAt + 7 })).toEqual([
      '2026-01-02T03:04:05.12Z',
      '2026-01-02T03:04:05.007Z',
    ])
    const startsAtText = '2026-01-02T05:04:05.123456789+02:00'
    const endsAtText = '2026-01-02T05:04:06+02:00'
    expect(timesOf({ startsAt, startsAtText, endsAt: startsAt + 1_000, endsAtText })).toEqual([
      startsAtText,
      endsAtText,
    ])
  })

  it('writes the name of the receiver as a regular expression', () => {
    expect(payloadOf({ receiver: 'a.b+c(d) é\\|[x]{y}^$?*-' }).receiver).toBe(
      'a\\.b\\+c\\(d\\) é\\\\\\|\\[x\\]\\{y\\}\\^\\$\\?\\*-',
    )
  })

  it('writes names in byte order, whatever they are', () => {
    const labels = { é: '1', b: '2', '10': '3', '9': '4', ['__proto__']: '5' }
    const payload = webhookPayload(
      sampleNotification({
        routeLabels: labels,
        groupLabels: labels,
        alerts: [sampleAlert({ labels })],
      }),
      options,
    )
    const written = '{"10":"3","9":"4","__proto__":"5","b":"2","é":"1"}'
    expect(payload.split(written).length - 1).toBe(4)
  })

  it('contains firing alerts and resolved ones', () => {
    const alerts = [sampleAlert(), resolvedAlert(sampleAlert({ labels: { a: 'b' } }))]
    const payload = payloadOf({ alerts, reason: 'some alerts resolved' })
    expect(payload).toMatchObject({
      status: 'firing',
      alerts: [{ status: 'firing' }, { status: 'resolved', endsAt: '2026-11-21T00:01:00Z' }],
      notification_reason: 'some alerts resolved',
      commonLabels: {},
    })
  })

  it('shows who acknowledged an alert, as templates read it', () => {
    const since = Date.UTC(2026, 10, 21)
    const acknowledgement = { by: 'maya', comment: 'on it', since }
    const payload = payloadOf({ alerts: [sampleAlert({ acknowledgement }), sampleAlert()] })
    const shown = {
      by: 'maya',
      comment: 'on it',
      since: '2026-11-21T00:00:00Z',
      until: '0001-01-01T00:00:00Z',
    }
    const { alerts } = payload as { alerts: readonly object[] }
    expect(alerts[0]).toMatchObject({ acknowledgement: shown })
    expect(alerts[1]).not.toHaveProperty('acknowledgement')
    const read = decodeTemplateData(JSON.stringify(payload))
    expect(read.alerts.map((alert) => alert.acknowledgement)).toEqual([acknowledgement, undefined])
  })

  it('has a version and the number of missing alerts', () => {
    const body = webhookPayload(sampleNotification(), { version: '1', truncatedAlerts: 3 })
    expect(body.endsWith('"truncatedAlerts":3}\n')).toBe(true)
    expect(JSON.parse(body)).toMatchObject({ version: '1', truncatedAlerts: 3 })
  })

  it('of a summary has the keys of its groups, and only that', () => {
    const alerts = [sampleAlert()]
    expect(payloadOf({ alerts })).not.toHaveProperty('limitedGroups')
    const limitedGroups = ['{}:{a="b"}', '{}:{a="c"}']
    expect(payloadOf({ alerts, limitedGroups })).toMatchObject({ limitedGroups })
  })
})
