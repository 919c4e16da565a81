import type { LoadedWebhooksConfig, Webhook } from '../webhook.ts'

const indexes = new WeakMap<LoadedWebhooksConfig, ReadonlyMap<string, Webhook>>()

function indexOf(config: LoadedWebhooksConfig): ReadonlyMap<string, Webhook> {
  const known = indexes.get(config)
  if (known !== undefined) return known
  const enabled = config.webhooks.filter((webhook) => webhook.enabled)
  const index = new Map(enabled.map((webhook) => [webhook.id, webhook]))
  indexes.set(config, index)
  return index
}

/** The enabled webhook with this id. */
export function findWebhook(config: LoadedWebhooksConfig, id: string): Webhook | undefined {
  return indexOf(config).get(id)
}

/** Whether a request for this webhook may come without a token. */
export function mayLackToken(config: LoadedWebhooksConfig, id: string): boolean {
  const auth = findWebhook(config, id)?.auth
  return auth === 'signature' || auth === 'either'
}
