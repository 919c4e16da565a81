import { createServer } from 'node:net'
import { goJsonString } from '@gatehouse/go-template/json'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { OutgoingRequest } from '../../http-client/send-request.ts'
import type { AlertsContext } from '../context.ts'
import type { AlertsOptions } from '../create-alerts.ts'
import type { NotificationSample } from '../preview/notification-sample.ts'
import { createFunctionNotifier } from '../receivers/function-notifier.ts'
import { createFixture } from '../service.fixture.ts'
import { everyType, readFile, secret } from './render-notification.fixture.ts'
import { type RenderedIntegration, renderNotification } from './render-notification.ts'
import { testReceiver } from './test-receiver.ts'

const createService = (config: string, options: Partial<AlertsOptions> = {}): AlertsContext =>
  createFixture({ config, readFile, ...options }).alerts

/** The request that the first integration of a receiver would send. */
async function render(
  receiver: object,
  sample: NotificationSample = {},
  options: Partial<AlertsOptions> = {},
): Promise<RenderedIntegration | undefined> {
  const config = { route: { receiver: 'team' }, receivers: [{ name: 'team', ...receiver }] }
  const alerts = createService(JSON.stringify(config), options)
  return (await renderNotification(alerts, 'team', sample))[0]
}

/** A body that was really sent, with each secret in it masked. */
const masked = (body: string): string =>
  [goJsonString(secret).slice(1, -1), 'DiskFulls3cr3t', '-1003311773'].reduce(
    (text, one) => text.replaceAll(one, '<secret>'),
    body,
  )

const resolved = { alerts: [{ status: 'resolved' }] } as const

describe('renderNotification()', () => {
  it('shows the request of every type of integration, without opening a connection', async () => {
    let connections = 0
    const server = createServer(() => connections++)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const alerts = createService(everyType(`127.0.0.1:${port}`), {
      send: () => Promise.reject(new Error('this must not be called')),
      awsCredentials: () => Promise.reject(new Error('nor this')),
    })
    const rendered = await renderNotification(alerts, 'all')
    expect(rendered.map((one) => [one.integration, one.outcome, one.requests.length])).toEqual([
      ['webhook/0', 'rendered', 1],
      ['webhook/1', 'rendered', 1],
      ['webhook/2', 'rendered', 1],
      ['email/0', 'rendered', 0],
      ['pagerduty/0', 'rendered', 1],
      ['pagerduty/1', 'rendered', 1],
      ['pagerduty/2', 'rendered', 1],
      ['opsgenie/0', 'rendered', 3],
      ['wechat/0', 'rendered', 2],
      ['slack/0', 'rendered', 1],
      ['slack/1', 'rendered', 1],
      ['victorops/0', 'rendered', 1],
      ['pushover/0', 'rendered', 1],
      ['sns/0', 'rendered', 1],
      ['sns/1', 'rendered', 1],
      ['telegram/0', 'rendered', 1],
      ['discord/0', 'rendered', 1],
      ['webex/0', 'rendered', 1],
      ['msteams/0', 'rendered', 1],
      ['msteamsv2/0', 'rendered', 1],
      ['jira/0', 'rendered', 2],
      ['incidentio/0', 'rendered', 1],
      ['rocketchat/0', 'rendered', 1],
      ['mattermost/0', 'rendered', 1],
    ])
    expect(connections).toBe(0)
  })

  it('shows no secret, however it is encoded', async () => {
    const alerts = createService(everyType('host.test:25'))
    const shown = JSON.stringify(await renderNotification(alerts, 'all'))
    expect(shown).toContain('<secret>')
    const decoded = shown.replace(/%([\dA-F]{2})/g, (_, hex) =>
      String.fromCharCode(Number(`0x${hex}`)),
    )
    expect(decoded).not.toContain('s3cr3t')
    expect(shown).not.toContain('1003311773')
    for (const text of [`u:${secret}`, 'user:s3cr3t', secret]) {
      expect(shown).not.toContain(Buffer.from(text).toString('base64').slice(0, 12))
    }
    expect(shown).not.toContain('gatehouse-secret')
  })

  it('shows the request that is really sent, except for secrets', async () => {
    const sent: OutgoingRequest[] = []
    const alerts = createService(everyType('127.0.0.1:1'), {
      async send(request) {
        sent.push(request)
        const body = { ok: true, success: true, errcode: 0, access_token: secret, issues: [] }
        return { status: 200, headers: new Headers(), body: JSON.stringify(body) }
      },
      awsCredentials: async () => ({ accessKeyId: 'AK', secretAccessKey: secret, region: 'r' }),
    })
    const sample: NotificationSample = {
      alerts: [
        { labels: { alertname: 'DiskFull', team: 'a' }, annotations: { summary: '<b> & "c"' } },
        { labels: { alertname: 'DiskFull' }, status: 'resolved' },
      ],
    }
    const rendered = await renderNotification(alerts, 'all', sample)
    await testReceiver(alerts, 'all', sample)
    // Integrations notify at the same time, so their requests arrive in any order.
    const shown = rendered.flatMap(({ requests }) => requests)
    expect(shown.map(({ method, body }) => `${method} ${body}`).sort()).toEqual(
      sent.map(({ method, body = '' }) => `${method} ${masked(body)}`).sort(),
    )
    const namesOf = (body: string): string[][] =>
      shown.filter((one) => one.body === body).map(({ headers }) => headers.map(([name]) => name))
    for (const { headers = {}, body = '' } of sent) {
      const names = expect.arrayContaining(Object.keys(headers))
      expect(namesOf(masked(body))).toContainEqual(names)
    }
  })

  it('shows the URL of a request, the headers of its http_config, and only the scheme of its credentials', async () => {
    const shown = await render({
      webhook_configs: [
        {
          url: 'http://user:s3cr3t@host.test/hook?team=a',
          http_config: {
            authorization: { type: 'Token', credentials: secret },
            http_headers: {
              'X-Plain': { values: ['b'], secrets: [secret], files: ['/secrets/text'] },
            },
          },
        },
      ],
    })
    expect(shown?.requests).toMatchObject([
      {
        method: 'POST',
        url: 'http://host.test/<secret>',
        headers: [
          ['user-agent', 'Alertmanager/0.34.0'],
          ['content-type', 'application/json'],
          ['X-Plain', 'b'],
          ['X-Plain', '<secret>'],
          ['X-Plain', '<secret>'],
          ['authorization', 'Basic <secret>'],
        ],
      },
    ])
  })

  it('is about one alert named TestAlert, in the group of the first route to the receiver', async () => {
    const config = {
      route: {
        receiver: 'other',
        routes: [
          { receiver: 'team', matchers: ['team="a"'], group_by: ['alertname', 'zone'] },
          { receiver: 'team' },
        ],
      },
      receivers: [
        { name: 'other' },
        { name: 'team', webhook_configs: [{ url: 'http://host.test/' }] },
      ],
    }
    const alerts = createService(JSON.stringify(config))
    const bodyOf = async (sample?: NotificationSample): Promise<unknown> => {
      const [shown] = await renderNotification(alerts, 'team', sample)
      return JSON.parse(shown?.requests[0]?.body ?? '')
    }
    expect(await bodyOf()).toMatchObject({
      status: 'firing',
      alerts: [{ labels: { alertname: 'TestAlert' }, startsAt: '2026-01-02T12:00:00Z' }],
      notification_reason: 'first notification',
      groupKey: '{}/{team="a"}:{alertname="TestAlert"}',
      groupLabels: { alertname: 'TestAlert' },
    })
    expect(
      await bodyOf({
        alerts: [{ labels: { zone: 'z', empty: '' } }, { labels: { alertname: 'B' } }],
      }),
    ).toMatchObject({
      alerts: [{ labels: { alertname: 'B' } }, { labels: { alertname: 'TestAlert', zone: 'z' } }],
      commonLabels: {},
    })
    expect(await bodyOf({ ...resolved, groupLabels: { zone: 'z' } })).toMatchObject({
      status: 'resolved',
      notification_reason: 'all alerts resolved',
      alerts: [{ startsAt: '2026-01-02T11:55:00Z', endsAt: '2026-01-02T12:00:00Z' }],
      groupKey: '{}/{team="a"}:{zone="z"}',
    })
  })

  it('shows an email with its headers, parts and recipients', async () => {
    const shown = await render({
      email_configs: [
        {
          to: 'a@example.org, B <b@example.org>',
          from: 'am@example.org',
          smarthost: 'host.test:25',
          headers: { 'X-Foo': '{{ .Status }}' },
          text: 'plain {{ .CommonLabels.alertname }}',
        },
      ],
    })
    expect(shown?.mail).toEqual({
      from: 'am@example.org',
      to: ['a@example.org', 'b@example.org'],
      subject: expect.stringContaining('[FIRING:1]'),
      headers: [
        ['X-Foo', 'firing'],
        ['Subject', shown?.mail?.subject],
        ['To', 'a@example.org, B <b@example.org>'],
        ['From', 'am@example.org'],
        ['Message-Id', expect.any(String)],
      ],
      parts: [
        { type: 'text/plain', text: 'plain TestAlert' },
        { type: 'text/html', text: expect.stringContaining('TestAlert') },
      ],
    })
  })

  it.each([
    [
      'a template that cannot be rendered',
      { webhook_configs: [{ url: 'http://h/', payload: { a: '{{ .Nope }}' } }] },
      'template: :1:3: executing "" at <.Nope>: can\'t evaluate field Nope in type template.Data',
    ],
    [
      'a secret that cannot be rendered, without showing it',
      { webhook_configs: [{ url: 'http://h/s3cr3t{{ .Nope }}' }] },
      'the template url cannot be rendered',
    ],
    [
      'a URL that is empty after rendering',
      { webhook_configs: [{ url: '{{ .CommonLabels.hook }}' }] },
      'webhook URL is empty after templating',
    ],
    [
      'a file that cannot be read',
      { webhook_configs: [{ url_file: '/missing' }] },
      'no such file: /missing',
    ],
    [
      'a file with credentials that cannot be read',
      {
        webhook_configs: [
          { url: 'http://h/', http_config: { authorization: { credentials_file: '/missing' } } },
        ],
      },
      'unable to read authorization credentials file /missing: unknown error',
    ],
    [
      'an invalid URL',
      { discord_configs: [{ webhook_url_file: '/secrets/text' }] },
      'the URL must be http or https',
    ],
    [
      'invalid addresses',
      { email_configs: [{ to: '{{ .Status }}', from: 'a@b.c', smarthost: 'h:25' }] },
      "parse 'to' addresses: mail: missing '@' or angle-addr",
    ],
    [
      'an integration without credentials to sign its requests',
      { sns_configs: [{ topic_arn: 'arn', sigv4: { region: 'r' } }] },
      'sns: sigv4 with no access_key needs the option awsCredentials, which is not set',
    ],
  ])('reports that it cannot be sent: %s', async (_, receiver, detail) => {
    expect(await render(receiver)).toMatchObject({ outcome: 'failed', detail, requests: [] })
  })

  it('skips an integration with send_resolved: false for resolved alerts, and a notifier made in code', async () => {
    const slack_configs = [{ api_url: 'http://h/', channel: '#c' }]
    expect(await render({ slack_configs }, resolved)).toMatchObject({ outcome: 'skipped' })
    const mixed = await render({ slack_configs }, { alerts: [{}, ...resolved.alerts] })
    expect(mixed?.requests[0]?.body).toContain('[FIRING:1]')

    let calls = 0
    const notifier = createFunctionNotifier(async () => {
      calls++
    })
    const inCode = await render({}, {}, { notifiers: { team: [notifier] } })
    expect(inCode).toMatchObject({ integration: 'code:function/0', outcome: 'skipped' })
    expect(calls).toBe(0)
  })

  it('refuses an unknown receiver, and a sample without alerts', async () => {
    const alerts = createService(everyType('h:1'))
    await expect(renderNotification(alerts, 'nobody')).rejects.toMatchObject({
      kind: 'NotFound',
      reason: 'ReceiverNotFound',
      message: 'no receiver is named "nobody"',
    })
    await expect(renderNotification(alerts, 'all', { alerts: [] })).rejects.toMatchObject({
      reason: 'InvalidInput',
      message: 'sample.alerts: expected at least one alert, got none',
    })
  })
})
