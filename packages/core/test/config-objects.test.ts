import {
  type AlertmanagerConfig,
  type AuthConfig,
  createAlerts,
  createAuth,
  createWebhooks,
  isGatehouseError,
  updateAlertsConfig,
  updateAuthConfig,
  updateWebhooksConfig,
  type WebhooksConfig,
} from '@gatehouse/core'
import { loadAlertsConfig, renderTemplate } from '@gatehouse/core/alerts'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'

const storage = createMemoryStorage()
const secrets = [{ id: 'a', key: new Uint8Array(32) }]

const alertsConfig: AlertmanagerConfig = {
  route: { receiver: 'team', group_by: ['alertname'], routes: [{ matchers: ['severity="page"'] }] },
  receivers: [{ name: 'team', webhook_configs: [{ url: 'https://hooks.example/secret' }] }],
}
const authConfig: AuthConfig = { id: 'app', http: { public_origin: 'https://app.example' } }
const webhook = { id: 'a', token: 'tidal-lantern-42', execute_command: 'true', workdir: '/' }
const webhooksConfig: WebhooksConfig = { webhooks: [webhook] }

/** The problems of a configuration, as paths and messages. */
function problemsOf(call: () => unknown): unknown {
  try {
    call()
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    const { problems } = error.info
    return Array.isArray(problems)
      ? problems.map(({ path, message }) => `${path}: ${message}`)
      : error.message
  }
  return 'accepted'
}

describe('a configuration as an object', () => {
  it('is accepted by every factory and every update', () => {
    const alerts = createAlerts({ storage, config: alertsConfig })
    updateAlertsConfig(alerts, { ...alertsConfig, receivers: [{ name: 'team' }] })
    expect(alerts.config.current.receivers).toMatchObject([{ name: 'team', integrations: [] }])
    const auth = createAuth({ storage, config: authConfig, secrets })
    updateAuthConfig(auth, { ...authConfig, session: { lifetime_seconds: 60 } })
    expect(auth.config.current.session.lifetime_seconds).toBe(60)
    const webhooks = createWebhooks({ storage, config: webhooksConfig })
    updateWebhooksConfig(webhooks, { webhooks: [{ ...webhook, mode: 'async' }] })
    expect(webhooks.config.current.webhooks).toMatchObject([{ mode: 'async' }])
  })

  it('of the alert service accepts template files, and is shown without its secrets', async () => {
    const templateFiles = [{ name: 'a.tmpl', text: '{{ define "greeting" }}hello{{ end }}' }]
    const config = { config: { ...alertsConfig, templates: ['*.tmpl'] }, templateFiles }
    const alerts = createAlerts({ storage, config })
    expect(await renderTemplate(alerts, '{{ template "greeting" . }}')).toBe('hello')
    expect(alerts.config.current.source).toBe(
      `route:
  receiver: team
  group_by:
  - alertname
  routes:
  - matchers:
    - severity="page"
receivers:
- name: team
  webhook_configs:
  - url: https://hooks.example/<secret>
templates:
- '*.tmpl'
`,
    )
  })

  it('is refused with the same messages as its text', () => {
    const wrong = { route: { receiver: 'nobody', group_wait: '5 minutes' } }
    const text = 'route: { receiver: nobody, group_wait: 5 minutes }'
    expect(problemsOf(() => loadAlertsConfig(wrong))).toEqual([
      'route.group_wait: not a valid duration string: "5 minutes"',
      'route.receiver: undefined receiver "nobody" used in route',
    ])
    expect(problemsOf(() => loadAlertsConfig(wrong))).toEqual(
      problemsOf(() => loadAlertsConfig(text)),
    )
  })

  it('is refused if a value cannot be in a configuration', () => {
    const circle: unknown[] = []
    circle.push(circle)
    for (const [value, message] of [
      [new Date(), 'config.route: expected a JSON value, got an object of type Date'],
      [() => 1, 'config.route: expected a JSON value, got a function'],
      [Number.NaN, 'config.route: expected a JSON value, got a number'],
    ]) {
      expect(problemsOf(() => loadAlertsConfig({ route: value as never }))).toBe(message)
    }
    expect(problemsOf(() => loadAlertsConfig({ route: circle as never }))).toMatch('90 levels')
  })

  it('does not compile with a misspelled key or a value of the wrong type', () => {
    const refused: readonly (() => unknown)[] = [
      // @ts-expect-error: the key is `receivers`.
      () => createAlerts({ storage, config: { ...alertsConfig, recievers: [] } }),
      // @ts-expect-error: the key is `group_wait`.
      () => createAlerts({ storage, config: { route: { receiver: 'team', groupWait: '5m' } } }),
      () =>
        createAlerts({
          storage,
          config: {
            ...alertsConfig,
            // @ts-expect-error: the key is `url`.
            receivers: [{ name: 'team', webhook_configs: [{ uri: 'https://a.example' }] }],
          },
        }),
      // @ts-expect-error: a duration has a unit.
      () => createAlerts({ storage, config: { ...alertsConfig, global: { resolve_timeout: 5 } } }),
      // @ts-expect-error: the key is `authentication`.
      () => createAuth({ storage, secrets, config: { ...authConfig, authentification: {} } }),
      () =>
        createAuth({
          storage,
          secrets,
          // @ts-expect-error: the key is `email`.
          config: { ...authConfig, verification: { claims: { e_mail: { required: false } } } },
        }),
      () =>
        createAuth({
          storage,
          secrets,
          config: {
            ...authConfig,
            authentication_flow: {
              // @ts-expect-error: a login does not create authenticators.
              login_flows: [{ name: 'x', steps: [{ type: 'create_authenticator', one_of: [] }] }],
            },
          },
        }),
      // @ts-expect-error: the key is `webhooks`.
      () => createWebhooks({ storage, config: { webhoks: [webhook] } }),
      // @ts-expect-error: the key is `timeout`.
      () => createWebhooks({ storage, config: { webhooks: [{ ...webhook, time_out: '5m' }] } }),
      () =>
        createWebhooks({
          storage,
          config: {
            // @ts-expect-error: the key is `on_missing`.
            webhooks: [{ ...webhook, command_arguments: [{ name: 'a', onMissing: 'skip' }] }],
          },
        }),
    ]
    for (const call of refused) {
      expect(call).toThrow(expect.objectContaining({ reason: 'InvalidConfig' }))
    }
  })
})
