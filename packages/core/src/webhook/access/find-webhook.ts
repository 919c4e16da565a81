import type { LoadedWebhooksConfig, Webhook } from '../webhook.ts'

/** The enabled webhooks of a configuration. */
interface WebhookIndex {
  readonly byId: ReadonlyMap<string, Webhook>
  /** Several share a path if they differ in their methods. */
  readonly byPath: ReadonlyMap<string, readonly Webhook[]>
  /** Those whose token is one more segment, by the path before it. */
  readonly byTokenPath: ReadonlyMap<string, readonly Webhook[]>
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
  const byTokenPath = new Map<string, readonly Webhook[]>()
  for (const webhook of enabled) {
    for (const path of ownPaths(webhook)) byPath.set(path, [...(byPath.get(path) ?? []), webhook])
    if (webhook.token_in?.kind !== 'path') continue
    for (const path of new Set([idPath + webhook.id, ...ownPaths(webhook)])) {
      byTokenPath.set(path, [...(byTokenPath.get(path) ?? []), webhook])
    }
  }
  const index = {
    byId: new Map(enabled.map((webhook) => [webhook.id, webhook])),
    byPath,
    byTokenPath,
  }
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
  /** The last segment, if it is a token. */
  readonly token?: string | undefined
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
  const { byPath, byTokenPath } = indexOf(config)
  const { base_path: basePath, hide_ids: hidesIds } = config
  const isIdle = byPath.size === 0 && byTokenPath.size === 0 && !hidesIds
  if (isIdle || !path.startsWith(`${basePath}/`)) return undefined
  const plain = decoded(path.slice(basePath.length))?.replace(/\/$/, '')
  const [first, ...others] = (plain !== undefined && byPath.get(plain)) || []
  if (first !== undefined) return { id: first.id, webhooks: [first, ...others] }
  const ofToken = tokenTarget(byTokenPath, path.slice(basePath.length))
  if (ofToken !== undefined) return ofToken
  const isId = hidesIds && plain?.startsWith(idPath) === true
  return isId ? { id: plain.slice(idPath.length), webhooks: [] } : undefined
}

/** @param path not decoded, so that a token may have an escaped slash. */
function tokenTarget(
  byTokenPath: WebhookIndex['byTokenPath'],
  path: string,
): PathTarget | undefined {
  const plain = path.replace(/\/$/, '')
  const end = plain.lastIndexOf('/')
  const [first, ...others] = byTokenPath.get(decoded(plain.slice(0, end)) ?? '') ?? []
  if (first === undefined) return undefined
  return { id: first.id, webhooks: [first, ...others], token: decoded(plain.slice(end + 1)) }
}

/** The most paths of earlier configurations that are remembered. */
const maxFormerPaths = 1_000

/** The paths before tokens, of a configuration and of those before it, with their base paths. */
interface TokenPlaces {
  readonly paths: ReadonlySet<string>
  /** The most segments that one of them has. */
  readonly depth: number
}

const tokenPlaces = new WeakMap<LoadedWebhooksConfig, TokenPlaces>()

function placesOf(
  config: LoadedWebhooksConfig,
  former: ReadonlySet<string> = new Set(),
): TokenPlaces {
  const { byTokenPath } = indexOf(config)
  const own = new Set(Array.from(byTokenPath.keys(), (path) => config.base_path + path))
  const earlier = [...former].filter((path) => !own.has(path)).slice(-maxFormerPaths)
  const paths = new Set([...earlier, ...own])
  const depth = Math.max(0, ...Array.from(paths, (path) => path.split('/').length))
  const places = { paths, depth }
  tokenPlaces.set(config, places)
  return places
}

/** Remembers for logs where the configuration before this one had tokens: their senders do not know that it is gone. */
export function followConfig(next: LoadedWebhooksConfig, previous: LoadedWebhooksConfig): void {
  placesOf(next, (tokenPlaces.get(previous) ?? placesOf(previous)).paths)
}

/**
 * A path for logs, without what may be a token: also after the path of a webhook that does not take it like this, that is not there,
 * or that an earlier configuration had.
 */
export function shownPath(config: LoadedWebhooksConfig, path: string): string {
  const { base_path: basePath } = config
  const { paths, depth } = tokenPlaces.get(config) ?? placesOf(config)
  const isWebhook = path.startsWith(basePath + idPath)
  // Most requests of other kinds, such as probes, end here.
  if (paths.size === 0 && !isWebhook) return path
  const target = targetAt(config, path)
  const isPlain = target !== undefined && target.webhooks.length > 0 && !('token' in target)
  if (isPlain) return path
  const segments = path.split('/')
  // An escaped slash makes fewer segments of a path than it has.
  let length = Math.min(depth, segments.length)
  while (length > 0 && !paths.has(decoded(segments.slice(0, length).join('/')) ?? '')) length--
  if (length === 0 && isWebhook) length = basePath.split('/').length + 2
  if (length === 0 || segments.length <= length) return path
  return `${segments.slice(0, length).join('/')}/***`
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
