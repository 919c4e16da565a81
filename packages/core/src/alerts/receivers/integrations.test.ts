import { describe, expect, it } from 'vitest'
import { loadAlertsConfig } from '../config/config.ts'
import { createNotification } from '../notification/create-notification.ts'
import { configured } from './configured.fixture.ts'
import { deliver, testPorts } from './delivery.fixture.ts'
import { cutFor, integrationTypes, kindsInOrder, notifierOf } from './integrations.ts'
import { resolvedAlert, sampleAlerts, sampleNotification } from './notifier.fixture.ts'
import { slack } from './slack/notifier.ts'

describe('the kinds of receivers', () => {
  it('notify in the order of Alertmanager', () => {
    expect(integrationTypes.slice(0, 4)).toEqual(['webhook', 'email', 'pagerduty', 'opsgenie'])
  })

  it.each(['run', 'check', 'print'] as const)('have unique positions in the order %s', (order) => {
    const places = kindsInOrder(order).flatMap((kind) => kind.order?.[order] ?? [])
    expect(places).toEqual(places.map((_, index) => index + 1))
  })

  it('create a notifier of their type', () => {
    const integration = configured('discord', { webhook_url: 'http://127.0.0.1/' })
    expect(notifierOf(integration, testPorts()).name).toBe('discord')
  })
})

describe('max_alerts', () => {
  it.each(integrationTypes)('is a key of %s', (type) => {
    const config = {
      route: { receiver: 'r' },
      receivers: [{ name: 'r', [`${type}_configs`]: [{ max_alerts: -1 }] }],
    }
    expect(() => loadAlertsConfig(JSON.stringify(config))).toThrow(
      'cannot unmarshal !!int `-1` into uint64',
    )
  })

  it('limits the alerts of a notification, and templates know how many are left out', async () => {
    const title = '{{ len .Alerts }} sent, {{ .TruncatedAlerts }} left out'
    const settings = (url: string) => ({ api_url: url, title, channel: '#c', max_alerts: 1 })
    const { requests } = await deliver({ kind: slack, settings })
    expect(requests[0]?.body).toContain('"title":"1 sent, 1 left out"')
    const all = await deliver({
      kind: slack,
      settings: (url) => ({ ...settings(url), max_alerts: 0 }),
    })
    expect(all.requests[0]?.body).toContain('"title":"2 sent, 0 left out"')
  })

  it('keeps firing alerts before resolved ones, except where Alertmanager does not', () => {
    const [first, second] = sampleAlerts
    if (first === undefined || second === undefined) throw new Error('no samples')
    const alerts = [resolvedAlert(first), second]
    const notification = createNotification({ ...sampleNotification(), alerts }, () => ({
      text: (text) => text,
      html: (text) => text,
    }))
    const url = 'http://127.0.0.1/'
    const discord = configured('discord', { webhook_url: url, max_alerts: 1 })
    const webhook = configured('webhook', { url, max_alerts: 1 })
    const cut = [discord, webhook].map((one) => cutFor(one, notification))
    expect(cut.map(({ status }) => status)).toEqual(['firing', 'resolved'])
    expect(cut.map(({ truncatedAlerts }) => truncatedAlerts)).toEqual([1, 1])
    expect(cut[0]?.alerts).toEqual([second])
  })
})
