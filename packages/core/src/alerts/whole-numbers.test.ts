import { describe, expect, it } from 'vitest'
import { loadAlertsConfig } from './config/config.ts'
import type { AlertmanagerConfig } from './config/written/alertmanager-config.ts'
import { renderNotification } from './notifications/render-notification.ts'
import type { NotificationSample } from './preview/notification-sample.ts'
import type { AlertmanagerTemplates } from './receivers/written-integration.ts'
import { createFixture } from './service.fixture.ts'

const account = '123456789012345678'
const extremes = ['-9223372036854775808', '-9007199254740993', '9007199254740993'] as const
const unsigned = ['9223372036854775808', '18446744073709551615'] as const

const sample: NotificationSample = { alerts: [{ labels: { alertname: 'A', acct: account } }] }

const withReceiver = (lists: string): string =>
  `route: { receiver: r }\nreceivers:\n- name: r\n  ${lists}\n`

/** The body that the first integration would send. */
async function bodyOf(config: string | AlertmanagerConfig): Promise<string> {
  const { alerts } = createFixture({ config })
  const [rendered] = await renderNotification(alerts, 'r', sample)
  return rendered?.requests.at(-1)?.body ?? ''
}

describe('an integer of up to 64 bits is sent with all its digits', () => {
  it.each([...extremes, ...unsigned])('%s, literal and rendered', async (digits) => {
    const payload = `{ a: ${digits}, b: '${digits}', c: { d: ['{"e": [${digits}]}'] } }`
    const config = withReceiver(`webhook_configs: [ { url: 'http://h/', payload: ${payload} } ]`)
    const body = `{"a":${digits},"b":${digits},"c":{"d":[{"e":[${digits}]}]}}\n`
    expect(await bodyOf(config)).toBe(body)
  })

  it('in the details of PagerDuty', async () => {
    const details = `{ acct: '{{ .CommonLabels.acct }}', a: 9007199254740993, l: '[{{ .CommonLabels.acct }}]' }`
    const body = await bodyOf(
      withReceiver(`pagerduty_configs: [ { routing_key: k, details: ${details} } ]`),
    )
    expect(body).toContain(`"a":9007199254740993,"acct":${account}`)
    expect(body).toContain(`"l":[${account}]`)
  })

  it.each([
    ['2', `fields: { f: '{{ .CommonLabels.acct }}' }`, `"f":${account}`],
    ['3', `description: '{"type": "doc", "id": {{ .CommonLabels.acct }}}'`, `"id": ${account}`],
  ])('in an issue of Jira, version %s', async (version, setting, sent) => {
    const jira = `{ api_url: 'http://h/rest/api/${version}', project: P, issue_type: Bug, ${setting} }`
    expect(await bodyOf(withReceiver(`jira_configs: [ ${jira} ]`))).toContain(sent)
  })

  it.each(extremes)('as the chat of Telegram: %s', async (digits) => {
    const chat = `chat_id: ${digits}, message_thread_id: ${digits}`
    const config = withReceiver(`telegram_configs: [ { bot_token: t, ${chat} } ]`)
    const body = await bodyOf(config)
    expect(body).toContain(`"chat_id":"${digits}"`)
    expect(body).toContain(`"message_thread_id":"${digits}"`)
  })
})

describe('a configuration as an object', () => {
  const objectWith = (payload: AlertmanagerTemplates): AlertmanagerConfig => ({
    route: { receiver: 'r' },
    receivers: [{ name: 'r', webhook_configs: [{ url: 'http://h/', payload }] }],
  })

  it('may have integers as bigints', async () => {
    const body = await bodyOf(objectWith({ a: 2n ** 64n - 1n, b: [-(2n ** 63n)], c: 5n }))
    expect(body).toBe('{"a":18446744073709551615,"b":[-9223372036854775808],"c":5}\n')
  })

  it('keeps the value of a large number', async () => {
    expect(await bodyOf(objectWith({ a: 2 ** 60, b: 1e300 }))).toBe(
      '{"a":1152921504606846976,"b":1e+300}\n',
    )
  })

  it('may have a bigint for a chat', async () => {
    const body = await bodyOf({
      route: { receiver: 'r' },
      receivers: [{ name: 'r', telegram_configs: [{ bot_token: 't', chat_id: -(2n ** 63n) }] }],
    })
    expect(body).toContain('"chat_id":"-9223372036854775808"')
  })
})

describe('every field for an integer', () => {
  const most = { int: '9223372036854775807', uint: '18446744073709551615' }
  const eventOutput = (field: string): string =>
    `event_recorder: { webhook_outputs: [ { url: 'http://h/', ${field} } ] }\n${withReceiver('')}`
  const kafkaOutput = (field: string): string =>
    `event_recorder: { kafka_outputs: [ { brokers: [ b ], topic: t, ${field} } ] }\n${withReceiver('')}`
  const webhook = (field: string): string =>
    withReceiver(`webhook_configs: [ { url: 'http://h/', ${field} } ]`)

  it.each([
    ['max_alerts', 'uint', webhook],
    ['workers', 'int', eventOutput],
    ['max_retries', 'int', eventOutput],
    ['batch_max_events', 'int', eventOutput],
    ['batch_max_bytes', 'int', eventOutput],
    ['buffer_size', 'int', kafkaOutput],
  ] as const)(
    '%s is printed with its digits, and refused if it is too large',
    (field, kind, configOf) => {
      const digits = most[kind]
      expect(loadAlertsConfig(configOf(`${field}: ${digits}`)).original).toContain(
        `${field}: ${digits}\n`,
      )
      const above = String(BigInt(digits) + 1n)
      expect(() => loadAlertsConfig(configOf(`${field}: ${above}`))).toThrow(/cannot unmarshal/)
    },
  )

  it('limits alerts however large it is', async () => {
    const body = await bodyOf(webhook(`max_alerts: ${most.uint}`))
    expect(JSON.parse(body)).toMatchObject({ truncatedAlerts: 0, alerts: [{}] })
  })
})

describe('a value with a tag', () => {
  it.each([
    ['!!binary aGk=', '"hi"'],
    ['!!binary "4oKs\\n"', '"€"'],
    ['!!timestamp 2001-01-01', '"2001-01-01"'],
    ['!!float 9007199254740993', '9007199254740992'],
    ['!!str 9007199254740993', '9007199254740993'],
    ['!!omap [ a: 1 ]', '[{"a":1}]'],
    ['!!set { a }', '{"a":null}'],
  ])('%s is sent as %s', async (written, sent) => {
    expect(await bodyOf(webhookWith(`{ x: ${written} }`))).toBe(`{"x":${sent}}\n`)
  })

  it('is decoded in fields and names as well', async () => {
    const config = withReceiver(
      'discord_configs: [ { webhook_url: "http://h/", title: !!binary aGk= } ]',
    )
    expect(await bodyOf(config)).toContain('"title":"hi"')
    expect(await bodyOf(webhookWith('{ !!binary aGk=: x }'))).toBe('{"hi":"x"}\n')
  })

  it('is refused if it is not base64', () => {
    expect(() => loadAlertsConfig(webhookWith('{ x: !!binary a }'))).toThrow(
      'yaml: !!binary value contains invalid base64 data',
    )
  })

  const webhookWith = (payload: string): string =>
    withReceiver(`webhook_configs: [ { url: 'http://h/', payload: ${payload} } ]`)
})
