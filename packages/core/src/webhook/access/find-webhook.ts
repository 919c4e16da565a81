import type { LoadedWebhooksConfig, Webhook } from '../webhook.ts'

/** The enabled webhooks of a configuration. */
interface WebhookIndex {
  readonly byId: ReadonlyMap<string, Webhook>
  /** Several share a path if they differ in their methods. */
  readonly byPath: ReadonlyMap<string, readonly Webhook[]>
}

const indexes = new WeakMap<LoadedWebhooksConfig, WebhookIndex>()

const idPath = '/webhook/'

/** The paths of a webhook that routes of single segments do not have. */
function ownPaths({ id, path }: Webhook): readonly string[] {
  return [...(path === undefined ? [] : [path]), ...(id.includes('/') ? [idPath + id] : [])]
}

function indexOf(config: LoadedWebhooksConfig): WebhookIndex {
  const known = indexes.get(config)
  if (known !== undefined) return known
  const enabled = config.webhooks.filter((webhook) => webhook.enabled)
  const byPath = new Map<string, readonly Webhook[]>()
  for (const webhook of enabled) {
    for (const path of ownPaths(webhook)) byPath.set(path, [...(byPath.get(path) ?? []), webhook])
  }
  const index = { byId: new Map(enabled.map((webhook) => [webhook.id, webhook])), byPath }
  indexes.set(config, index)
  return index
}

/** The enabled webhook with this id. */
export function findWebhook(config: LoadedWebhooksConfig, id: string): Webhook | undefined {
  return indexOf(config).byId.get(id)
}

/** What a path means to a request. */
export interface PathTarget {
  /** Of the first webhook; that in the path if there is none. */
  readonly id: string
  /** They differ in their methods. */
  readonly webhooks: readonly Webhook[]
}

/** The webhook with this id, as the target of a path. */
export function targetOfId(config: LoadedWebhooksConfig, id: string): PathTarget {
  const webhook = findWebhook(config, id)
  return { id, webhooks: webhook === undefined ? [] : [webhook] }
}

/**
 * The webhooks with this path of their own, or with this id of several segments; `undefined` if the path belongs to nobody. With
 * hidden ids, every such id has a target.
 *
 * @param path below the mount path, not decoded. One slash at its end makes no difference.
 */
export function targetAt(config: LoadedWebhooksConfig, path: string): PathTarget | undefined {
  const { byPath } = indexOf(config)
  const { base_path: basePath, hide_ids: hidesIds } = config
  if ((byPath.size === 0 && !hidesIds) || !path.startsWith(`${basePath}/`)) return undefined
  const plain = decoded(path.slice(basePath.length))?.replace(/\/$/, '')
  const [first, ...others] = (plain !== undefined && byPath.get(plain)) || []
  if (first !== undefined) return { id: first.id, webhooks: [first, ...others] }
  const isId = hidesIds && plain?.startsWith(idPath) === true
  return isId ? { id: plain.slice(idPath.length), webhooks: [] } : undefined
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined // Not UTF-8, so no configured path.
  }
}

/** Whether a request for this webhook may come without a token. */
export function mayLackToken(config: LoadedWebhooksConfig, id: string): boolean {
  const auth = findWebhook(config, id)?.auth
  return auth === 'signature' || auth === 'either' || auth === 'none'
}
