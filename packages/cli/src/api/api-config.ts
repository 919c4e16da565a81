import {
  type ConfigKind,
  type ConfigProblem,
  createDecoding,
  type MappingNode,
  optional,
  reportCheck,
  text,
  texts,
} from '@gatehouse/core/config'
import type { LoadedWebhooksConfig } from '@gatehouse/core/webhook'
import { type AuthSection, authSection } from '../auth/section.ts'
import { section } from '../config/config-section.ts'
import { type StorageSection, storageSection } from '../config/storage-config.ts'
import type { ListenFlags } from '../flags/api-flags.ts'
import { type HttpLimits, patientLimits } from '../server/http-limits.ts'
import {
  type ListenAddress,
  type ListenPlace,
  parseListenAddress,
} from '../server/listen-address.ts'
import { type AlertsSection, alertsSection } from '../services/alerts.ts'
import type { ConnectionLimits, LogFileSettings, ServerSettings } from './server-settings.ts'

/** What the file of `gatehouse api` says of itself; all the rest is of the webhook service. */
export interface OwnConfig {
  /** Where to listen. */
  readonly listen: ListenAddress | undefined
  /** A web configuration file: TLS, basic authentication, headers. */
  readonly web_config: string | undefined
  /** Host names that a server at a loopback address answers for. */
  readonly allowed_hosts: readonly string[]
  readonly storage: StorageSection | undefined
  readonly alerts: AlertsSection | undefined
  readonly auth: AuthSection | undefined
}

const listenAddress: ConfigKind<ListenAddress | undefined> = {
  typeName: 'address',
  zero: undefined,
  isOptional: true,
  encode: () => undefined,
  decode(place) {
    const given = text.decode(place)
    try {
      return parseListenAddress(/^\d+$/.test(given) ? `:${given}` : given)
    } catch (error) {
      reportCheck(place, error instanceof Error ? error.message : String(error))
      return undefined
    }
  },
}

const ownSection: ConfigKind<OwnConfig> = section<OwnConfig>({
  typeName: 'gatehouse',
  fields: {
    listen: { kind: listenAddress },
    web_config: { kind: optional(text) },
    allowed_hosts: { kind: texts },
    storage: { kind: optional(storageSection) },
    alerts: { kind: optional(alertsSection) },
    auth: { kind: optional(authSection) },
  },
})

/** The top-level keys that are no business of the webhook service. */
export const ownKeys: readonly string[] = [
  'listen',
  'web_config',
  'allowed_hosts',
  'storage',
  'alerts',
  'auth',
]

/** Top-level keys that say something about webhooks, and not only about the server. */
const webhookKeys = [
  'webhooks',
  'url_prefix',
  'hash_endpoint',
  'hide_ids',
  'defaults',
  'executor',
  'trusted_proxies',
  'admin',
  'history',
  'metrics',
]

/** Which keys a mapping has. */
export function keysOf(node: MappingNode): ReadonlySet<string> {
  return new Set(node.entries.map(({ key }) => (key.kind === 'scalar' ? key.text : '')))
}

/** The document without the keys of {@link ownKeys}. */
export function withoutOwnKeys(root: MappingNode): MappingNode {
  const entries = root.entries.filter(
    ({ key }) => key.kind !== 'scalar' || !ownKeys.includes(key.text),
  )
  return { ...root, entries }
}

/** Reads the keys of {@link ownKeys}. */
export function decodeOwnConfig(
  root: MappingNode,
  directory: string,
): { readonly own: OwnConfig; readonly problems: readonly ConfigProblem[] } {
  const decoding = createDecoding(directory)
  const rest = withoutOwnKeys(root).entries
  const node = { ...root, entries: root.entries.filter((entry) => !rest.includes(entry)) }
  const own = ownSection.decode({ decoding, node, path: '' })
  const problems = [...decoding.structure, ...decoding.checks, ...conflicts(root, own)]
  return { own, problems }
}

/** What must be true of several keys together. */
function conflicts(
  root: MappingNode,
  { alerts, auth, storage }: OwnConfig,
): readonly ConfigProblem[] {
  const keys = keysOf(root)
  const problem = (path: string, message: string): ConfigProblem => {
    const entry = root.entries.find(({ key }) => key.kind === 'scalar' && key.text === path)
    const { line, column } = entry?.value ?? root
    return { path, line, column, message }
  }
  const besideListen = keys.has('listen') ? ['port', 'host', 'socket'] : []
  const problems = besideListen
    .filter((key) => keys.has(key))
    .map((key) => problem(key, `either listen or ${key}`))
  if ((alerts ?? auth) !== undefined && storage === undefined) {
    const choices = '{ sqlite: FILE }, { postgres: URL } or { memory: true }'
    problems.push(problem('storage', `is missing: ${choices}`))
  }
  return problems
}

/** A file that was read and is good. */
export interface ApiConfig extends OwnConfig {
  readonly webhooks: LoadedWebhooksConfig
  readonly server: ServerSettings & {
    readonly limits: ConnectionLimits
    readonly log: LogFileSettings
  }
  /** The top-level keys of the file. */
  readonly keys: ReadonlySet<string>
  /** The keys of its section `limits`. */
  readonly limitKeys: ReadonlySet<string>
}

/** Whether webhooks are served: if anything is said of them, or of nothing else. */
export function servesWebhooks({
  alerts,
  auth,
  keys,
}: Pick<ApiConfig, 'alerts' | 'auth' | 'keys'>): boolean {
  return (alerts ?? auth) === undefined || webhookKeys.some((key) => keys.has(key))
}

/**
 * Where to listen: flags come before the file. Without a word of either on every address, at port 9093 where alerts are
 * served and else at 8081.
 */
export function listenPlacesOf(config: ApiConfig, flags: ListenFlags): readonly ListenPlace[] {
  if (flags.listen !== undefined) return flags.listen
  const { listen, alerts, server } = config
  const asksForAddress = flags.host !== undefined || flags.port !== undefined
  if (server.socket !== undefined && !asksForAddress) return [{ path: server.socket }]
  const defaultPort = alerts === undefined ? 8_081 : 9_093
  const port = flags.port ?? listen?.port ?? server.port ?? defaultPort
  const host = flags.host ?? listen?.host ?? server.host
  return [host === undefined ? { port } : { host, port }]
}

/**
 * How patient the server is: as the file says, and where it serves alerts and does not say it, as Prometheus needs it. Who
 * waits for a link to be followed keeps a connection, so that their number is limited for webhooks alone.
 */
export function httpLimitsOf({ alerts, auth, limitKeys, server }: ApiConfig): HttpLimits {
  const { limits } = server
  const isSaid = (key: string): boolean => alerts === undefined || limitKeys.has(key)
  return {
    headerTimeout: isSaid('header_timeout') ? limits.header_timeout : patientLimits.headerTimeout,
    requestTimeout: isSaid('request_timeout')
      ? limits.request_timeout
      : patientLimits.requestTimeout,
    keepaliveTimeout: isSaid('keepalive_timeout')
      ? limits.keepalive_timeout
      : patientLimits.keepaliveTimeout,
    maxConnections:
      isSaid('max_connections') && (auth === undefined || limitKeys.has('max_connections'))
        ? limits.max_connections
        : patientLimits.maxConnections,
  }
}
