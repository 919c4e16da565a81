import { inspect } from 'node:util'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Secret } from '../crypto/secret.ts'
import { type CapturedRequest, captureServer } from '../http/capture-server.fixture.ts'
import { fetchHandler } from '../http/fetch-handler.ts'
import type { Logger } from '../logger.ts'
import { createManualClock } from '../testing/index.ts'
import { postAlerts } from './alerts/post-alerts.ts'
import type { AlertsContext } from './context.ts'
import { type AlertsOptions, createAlerts } from './create-alerts.ts'
import { renderNotification } from './notifications/render-notification.ts'
import { testReceiver } from './notifications/test-receiver.ts'
import { startScriptedServer } from './receivers/email/mail-server.fixture.ts'
import { startDispatcher } from './start/start-dispatcher.ts'
import { startHistory } from './start/start-history.ts'

/** A part of every secret in this file. */
const marker = 's3cr3t-5b1f'

/** A secret, and its place in a configuration. */
interface Case {
  readonly field: string
  /** The integration lists of the receiver, which send to a server at this URL. */
  readonly receiver: (url: string) => object
  readonly global?: (url: string) => object
}

const http = (http_config: object, webhook: object = {}): Case['receiver'] => {
  return (url) => ({ webhook_configs: [{ url: `${url}/w`, http_config, ...webhook }] })
}
const one = (type: string, settings: (url: string) => object): Case['receiver'] => {
  return (url) => ({ [`${type}_configs`]: [settings(url)] })
}
const file = '/secrets/text'
const urlFile = '/secrets/url'

const withHost = (url: string, userinfo: string): string => url.replace('//', `//${userinfo}@`)
const pem = `-----BEGIN PRIVATE KEY-----\n${marker}\n-----END PRIVATE KEY-----\n`

const cases: readonly Case[] = [
  ...[
    { 'basic_auth.password': { basic_auth: { username: 'u', password: marker } } },
    { 'basic_auth.password_file': { basic_auth: { username: 'u', password_file: file } } },
    { 'authorization.credentials': { authorization: { credentials: marker } } },
    { 'authorization.credentials_file': { authorization: { credentials_file: file } } },
    { bearer_token: { bearer_token: marker } },
    { bearer_token_file: { bearer_token_file: file } },
    { 'http_headers.secrets': { http_headers: { 'X-Key': { secrets: [marker] } } } },
    { 'http_headers.files': { http_headers: { 'X-Key': { files: [file] } } } },
    {
      proxy_connect_header: {
        proxy_url: 'http://127.0.0.1:1',
        proxy_connect_header: { 'X-Key': [marker] },
      },
    },
    { 'tls_config.key': { tls_config: { cert: 'no certificate', key: pem } } },
  ].flatMap((configs) =>
    Object.entries(configs).map(([field, config]) => ({
      field: `http_config.${field}`,
      receiver: http(config),
    })),
  ),
  ...['client_secret', 'client_secret_file'].map((key) => ({
    field: `http_config.oauth2.${key}`,
    receiver: (url: string) =>
      http({
        oauth2: {
          client_id: 'id',
          [key]: key === 'client_secret' ? marker : file,
          token_url: `${url}/token`,
        },
      })(url),
  })),
  {
    field: 'an access token',
    receiver: (url) =>
      http({ oauth2: { client_id: 'id', client_secret: 's', token_url: `${url}/issue` } })(url),
  },
  {
    field: 'http_config.oauth2.token_url with a password',
    receiver: (url) =>
      http({
        oauth2: {
          client_id: 'id',
          client_secret: 's',
          token_url: withHost(`${url}/token`, `u:${marker}`),
        },
      })(url),
  },
  {
    field: 'http_config.oauth2.proxy_url with a password',
    receiver: (url) =>
      http({
        oauth2: {
          client_id: 'id',
          client_secret: 's',
          token_url: 'http://t.test/',
          proxy_url: withHost(url, `u:${marker}`),
        },
      })(url),
  },
  {
    field: 'http_config.proxy_url with a password',
    receiver: (url) =>
      http({ proxy_url: withHost(url, `u:${marker}`) }, { url: 'http://h.test/w' })(url),
  },
  {
    field: 'http_config of global',
    receiver: http({}),
    global: () => ({ http_config: { basic_auth: { username: 'u', password: marker } } }),
  },
  {
    field: 'webhook url',
    receiver: one('webhook', (url) => ({ url: `${url}/hook/${marker}?a=1&k=${marker}` })),
  },
  {
    field: 'webhook url, its query',
    receiver: one('webhook', (url) => ({ url: `${url}/?k=${marker}` })),
  },
  {
    field: 'webhook url, its password',
    receiver: one('webhook', (url) => ({ url: withHost(`${url}/x`, `u:${marker}`) })),
  },
  {
    field: 'webhook url, its user',
    receiver: one('webhook', (url) => ({ url: withHost(`${url}/x`, marker) })),
  },
  {
    field: 'webhook url, a template',
    receiver: one('webhook', (url) => ({ url: `${url}/{{ .Status }}/${marker}` })),
  },
  { field: 'webhook url_file', receiver: one('webhook', () => ({ url_file: urlFile })) },
  ...['discord', 'msteams', 'msteamsv2', 'mattermost'].flatMap((type) => [
    {
      field: `${type} webhook_url`,
      receiver: one(type, (url) => ({ webhook_url: `${url}/${marker}/x` })),
    },
    {
      field: `${type} webhook_url_file`,
      receiver: one(type, () => ({ webhook_url_file: urlFile })),
    },
  ]),
  {
    field: 'mattermost_webhook_url of global',
    receiver: one('mattermost', () => ({})),
    global: (url) => ({ mattermost_webhook_url: `${url}/${marker}` }),
  },
  {
    field: 'slack api_url',
    receiver: one('slack', (url) => ({ api_url: `${url}/${marker}`, channel: '#c' })),
  },
  {
    field: 'slack api_url_file',
    receiver: one('slack', () => ({ api_url_file: urlFile, channel: '#c' })),
  },
  {
    field: 'slack app_token',
    receiver: one('slack', (url) => ({ app_token: marker, app_url: url, channel: '#c' })),
  },
  {
    field: 'slack app_token_file',
    receiver: one('slack', (url) => ({ app_token_file: file, app_url: url, channel: '#c' })),
  },
  {
    field: 'slack_api_url of global',
    receiver: one('slack', () => ({ channel: '#c' })),
    global: (url) => ({ slack_api_url: `${url}/${marker}` }),
  },
  {
    field: 'slack_app_token of global',
    receiver: one('slack', () => ({ channel: '#c' })),
    global: (url) => ({ slack_app_token: marker, slack_app_url: url }),
  },
  ...['service_key', 'routing_key'].flatMap((key) => [
    { field: `pagerduty ${key}`, receiver: one('pagerduty', (url) => ({ [key]: marker, url })) },
    {
      field: `pagerduty ${key}_file`,
      receiver: one('pagerduty', (url) => ({ [`${key}_file`]: file, url })),
    },
  ]),
  ...[
    { type: 'opsgenie', key: 'api_key', rest: {} },
    { type: 'victorops', key: 'api_key', rest: { routing_key: 'r' } },
    { type: 'wechat', key: 'api_secret', rest: { corp_id: 'c' } },
    { type: 'telegram', key: 'bot_token', rest: { chat_id: 1 } },
  ].flatMap(({ type, key, rest }) => [
    {
      field: `${type} ${key}`,
      receiver: one(type, (url) => ({ ...rest, [key]: marker, api_url: url })),
    },
    {
      field: `${type} ${key}_file`,
      receiver: one(type, (url) => ({ ...rest, [`${key}_file`]: file, api_url: url })),
    },
    {
      field: `${type}_${key} of global`,
      receiver: one(type, (url) => ({ ...rest, api_url: url })),
      global: () => ({ [`${type}_${key}`]: marker }),
    },
    {
      field: `${type} api_url, its password`,
      receiver: one(type, (url) => ({
        ...rest,
        [key]: 'k',
        api_url: withHost(url, `u:${marker}`),
      })),
    },
  ]),
  {
    field: 'telegram chat_id_file',
    receiver: one('telegram', (url) => ({ bot_token: 't', chat_id_file: file, api_url: url })),
  },
  ...['user_key', 'token'].flatMap((key) =>
    [key, `${key}_file`].map((name) => ({
      field: `pushover ${name}`,
      receiver: one('pushover', () => ({
        user_key: 'u',
        token: 't',
        ...(name === key ? {} : { [key]: undefined }),
        [name]: name === key ? marker : file,
      })),
    })),
  ),
  ...['token', 'token_id'].flatMap((key) => [
    ...[key, `${key}_file`].map((name) => ({
      field: `rocketchat ${name}`,
      receiver: one('rocketchat', (url) => ({
        token: 't',
        token_id: 'i',
        api_url: url,
        ...(name === key ? {} : { [key]: undefined }),
        [name]: name === key ? marker : file,
      })),
    })),
    {
      field: `rocketchat_${key} of global`,
      receiver: one('rocketchat', (url) => ({ api_url: url })),
      global: () => ({
        rocketchat_token: 't',
        rocketchat_token_id: 'i',
        [`rocketchat_${key}`]: marker,
      }),
    },
  ]),
  {
    field: 'jira api_url, its password',
    receiver: one('jira', (url) => ({
      api_url: withHost(url, `u:${marker}`),
      project: 'P',
      issue_type: 'Bug',
    })),
  },
  {
    field: 'webex http_config.authorization',
    receiver: one('webex', (url) => ({
      api_url: url,
      room_id: 'r',
      http_config: { authorization: { credentials: marker } },
    })),
  },
  {
    field: 'sns sigv4.secret_key',
    receiver: one('sns', (url) => ({
      api_url: url,
      topic_arn: 't',
      sigv4: { region: 'r', access_key: 'AK', secret_key: marker },
    })),
  },
  {
    field: 'sns api_url, its password',
    receiver: one('sns', (url) => ({
      api_url: withHost(url, `u:${marker}`),
      topic_arn: 't',
      sigv4: { region: 'r', access_key: 'AK', secret_key: 'x' },
    })),
  },
  {
    field: 'incidentio alert_source_token',
    receiver: one('incidentio', (url) => ({ url, alert_source_token: marker })),
  },
  {
    field: 'incidentio alert_source_token_file',
    receiver: one('incidentio', (url) => ({ url, alert_source_token_file: file })),
  },
  {
    field: 'incidentio url_file',
    receiver: one('incidentio', () => ({ url_file: urlFile, alert_source_token: 't' })),
  },
  {
    field: 'event_recorder webhook url',
    receiver: () => ({}),
  },
  {
    field: 'tracing http_headers',
    receiver: () => ({}),
  },
]

const other: Readonly<Record<string, object>> = {
  'event_recorder webhook url': {
    event_recorder: { webhook_outputs: [{ url: `http://h.test/${marker}` }] },
  },
  'tracing http_headers': { tracing: { endpoint: 'h:1', http_headers: { 'X-Key': marker } } },
}

/** A refusal that repeats the whole request, including the decoded forms of its values. */
function echo(request: CapturedRequest): {
  status: number
  headers: Record<string, string>
  body: string
} {
  const { path, headers, body } = request
  if (path === '/issue') {
    const token = { access_token: marker, token_type: 'Bearer' }
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(token),
    }
  }
  const said = Object.values(headers).flatMap((value) => [String(value), decodedOf(String(value))])
  const [pathname = ''] = path.split('?')
  const paths = [path, pathname, decodeURIComponent(path), path.replaceAll('&', '&amp;')]
  const message = [...paths, ...said, body].join('\n')
  return {
    status: 400,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ok: false, error: message, message, errors: [message] }),
  }
}

/** Everything that a service showed while it failed to notify. */
interface Shown {
  readonly alerts: AlertsContext
  readonly surfaces: Record<string, string>
}

/** The decoded forms in which servers may write a header that they received. */
const decodedOf = (header: string): string =>
  Buffer.from(/^Basic (.*)$/i.exec(header)?.[1] ?? '', 'base64').toString('utf8')

async function everythingShown(config: object, options: Partial<AlertsOptions>): Promise<Shown> {
  const clock = createManualClock(Date.UTC(2026, 0, 2, 12))
  const storage = createMemoryStorage({ clock })
  const lines: string[] = []
  const write = (fields: object, message: string): void => {
    lines.push(
      `${message} ${inspect(fields, { depth: 10, showHidden: true })} ${JSON.stringify(fields)}`,
    )
  }
  const logger: Logger = { debug: write, info: write, warn: write, error: write }
  const text = JSON.stringify(config, undefined, 2)
  const start = (more: Partial<AlertsOptions> = {}): AlertsContext =>
    createAlerts({ storage, clock, logger, config: text, ...options, ...more })
  const alerts = start()
  const history = startHistory(alerts)
  const dispatcher = startDispatcher(alerts, { random: () => 0 })
  onTestFinished(() => dispatcher.stop())
  let decisions = 0
  alerts.dispatch.onDecision(() => decisions++)
  await postAlerts(alerts, [{ labels: { alertname: 'DiskFull' } }])
  const expected = alerts.config.current.receivers[0]?.integrations.length ?? 0
  await expect
    .poll(
      () => {
        clock.advance(1_000)
        return decisions
      },
      { timeout: 30_000, interval: 2 },
    )
    .toBe(expected)
  await dispatcher.stop()
  await history.flush()
  const get = async (service: AlertsContext, path: string): Promise<string> => {
    const answer = await fetchHandler(service.routes)(new Request(`http://localhost${path}`))
    expect([path, answer.status]).toEqual([path, 200])
    return answer.text()
  }
  const paths = ['/api/v2/status', '/metrics', '/api/v2/receivers', '/api/v2/alerts']
  const kept = ['/gatehouse/v1/notifications', '/gatehouse/v1/alert-history']
  const surfaces: Record<string, string> = {}
  for (const path of [...paths, ...kept]) surfaces[path] = await get(alerts, path)
  surfaces['/api/v2/status of the source'] = await get(
    start({ statusConfig: 'source' }),
    '/api/v2/status',
  )
  surfaces.test = JSON.stringify(await testReceiver(alerts, 'team'))
  surfaces.preview = JSON.stringify(await renderNotification(alerts, 'team'))
  surfaces.config =
    inspect(alerts.config.current, { depth: 10 }) + JSON.stringify(alerts.config.current)
  surfaces.log = lines.join('\n')
  return { alerts, surfaces }
}

/** The secrets of a configuration. */
function secretsIn(value: unknown): string[] {
  if (value instanceof Secret) return [value.reveal()]
  if (value instanceof Map) return [...value.values()].flatMap(secretsIn)
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(secretsIn) : []
}

/** Whether a text contains the secret, also in base64. */
function shows(text: string): boolean {
  const encoded = text.match(/[\w+/-]{12,}={0,2}/g) ?? []
  const decoded = encoded.map((part) => Buffer.from(part, 'base64').toString('latin1'))
  return [text, ...decoded].some((one) => one.includes(marker))
}

const configOf = ({ field, receiver, global }: Case, url: string): object => ({
  ...(global === undefined ? {} : { global: global(url) }),
  route: { receiver: 'team', group_wait: '0s', group_interval: '10s' },
  receivers: [{ name: 'team', ...receiver(url) }],
  ...other[field],
})

describe('a secret of the configuration is shown nowhere', () => {
  const filesAt = (url: string) => async (path: string) => {
    if (path === file) return `${marker}\n`
    if (path === urlFile) return `${url}/${marker}\n`
    throw new Error('no such file')
  }

  it.each<[field: string, own: object, global: object]>([
    ['auth_password', { auth_password: marker }, {}],
    ['auth_password_file', { auth_password_file: file }, {}],
    ['smtp_auth_password of global', {}, { smtp_auth_password: marker }],
    ['auth_secret', { auth_secret: marker, auth_password: 'p' }, {}],
    ['auth_secret_file', { auth_secret_file: file, auth_password: 'p' }, {}],
    ['smtp_auth_secret of global', { auth_password: 'p' }, { smtp_auth_secret: marker }],
  ])('email %s, when the server repeats it in a refusal', async (field, own, global) => {
    const sent = Buffer.from(`\0u\0${marker}`).toString('base64')
    const refusal = `535 no: ${field.includes('password') ? sent : ''} ${marker}`
    const server = await startScriptedServer({ AUTH: refusal, 'AUTH PLAIN': refusal })
    const email = {
      to: 'a@example.org',
      from: 'b@example.org',
      auth_username: 'u',
      require_tls: false,
    }
    const receiver = {
      email_configs: [
        { ...email, smarthost: `127.0.0.1:${server.port}`, text: 'plain', html: '', ...own },
      ],
    }
    const config = configOf({ field: '', receiver: () => receiver, global: () => global }, '')
    const { surfaces } = await everythingShown(config, { readFile: filesAt('') })
    expect(server.dialog.join('\n')).toContain('AUTH')
    const shownIn = Object.entries(surfaces).flatMap(([name, text]) => (shows(text) ? [name] : []))
    expect(shownIn).toEqual([])
  })

  it.each(cases)('$field, when the receiver repeats it in a refusal', async (given) => {
    const server = await captureServer(echo)
    const options = { readFile: filesAt(server.url) }
    const { alerts, surfaces } = await everythingShown(configOf(given, server.url), options)
    const isInFile = /file/.test(given.field) || given.field === 'an access token'
    if (!isInFile) {
      expect(JSON.stringify(secretsIn(alerts.config.current))).toContain(marker)
    }
    const shownIn = Object.entries(surfaces).flatMap(([name, text]) => (shows(text) ? [name] : []))
    expect(shownIn).toEqual([])
  })
})
