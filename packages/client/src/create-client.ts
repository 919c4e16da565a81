import { type AlertsClient, createAlertsClient } from './alerts/alerts-client.ts'
import { type AuthClient, type AuthClientOptions, createAuthClient } from './auth/auth-client.ts'
import {
  createWebhooksClient,
  type WebhooksClient,
  type WebhooksClientOptions,
} from './webhooks/webhooks-client.ts'

/** Options of {@link createClient}: those of every client, and what differs for one service. */
export interface AllClientsOptions extends AuthClientOptions, WebhooksClientOptions {
  /** The base paths of services below `url` (default: none). */
  readonly basePaths?: {
    readonly alerts?: string
    readonly auth?: string
    readonly webhooks?: string
  }
}

/** The clients of all services. */
export interface Client extends AlertsClient, AuthClient {
  readonly webhooks: WebhooksClient
}

/**
 * A client of all services of one server. An app that uses one service imports `createAlertsClient()`, `createAuthClient()` or
 * `createWebhooksClient()`, and nothing of the others.
 *
 * @example
 * const client = createClient({ url: 'https://ops.example.com', basePaths: { webhooks: '/hooks' } })
 * const session = await client.session()
 * const alerts = await client.alerts.list({ filter: ['team="db"'] })
 */
export function createClient(options: AllClientsOptions = {}): Client {
  const { basePaths = {}, url = '', ...rest } = options
  const at = (path = ''): AuthClientOptions & WebhooksClientOptions =>
    path === '' && url === '' ? rest : { ...rest, url: `${String(url).replace(/\/+$/, '')}${path}` }
  return {
    ...createAlertsClient(at(basePaths.alerts)),
    ...createAuthClient(at(basePaths.auth)),
    webhooks: createWebhooksClient(at(basePaths.webhooks)),
  }
}
