import { isNull } from '@gatehouse/core/config'
import {
  type Checking,
  type ConfigNode,
  checked,
  type Fields,
  filledText,
  flag,
  type Inspected,
  inspectDocument,
  isMapping,
  listOf,
  type MappingNode,
  mapping,
  optional,
  parsed,
  type Schema,
  text,
  withDefault,
} from '@gatehouse/core/document'
import type { LoadedWebhooksConfig, OwnSettings } from '@gatehouse/core/webhook'
import { type AccessSection, accessSection } from '../access/access-section.ts'
import { type AuthSection, authSection } from '../auth/section.ts'
import { messageOf } from '../config/failure.ts'
import { type StorageSection, storageSection } from '../config/storage-config.ts'
import type { ListenFlags } from '../flags/api-flags.ts'
import { type HttpLimits, patientLimits } from '../server/http-limits.ts'
import {
  type ListenAddress,
  type ListenPlace,
  parseListenAddress,
} from '../server/listen-address.ts'
import { type AlertsSection, alertsSection } from '../services/alerts-section.ts'
import {
  type ConnectionLimits,
  type LogFileSettings,
  type ServerSettings,
  serverSettings,
} from './server-settings.ts'

/** The settings of the file of `gatehouse api` other than those of the server and of the webhook service. */
export interface OwnConfig {
  /** Where to listen. */
  readonly listen: ListenAddress | undefined
  /** A web configuration file: TLS, basic authentication, headers. */
  readonly web_config: string | undefined
  /** Further files with webhooks: paths, or patterns. */
  readonly webhook_files: readonly string[]
  /** The host names that a server at a loopback address accepts. */
  readonly allowed_hosts: readonly string[]
  readonly storage: StorageSection | undefined
  readonly alerts: AlertsSection | undefined
  readonly auth: AuthSection | undefined
  /** Whether the console is served. */
  readonly console: boolean
  /** The label by which the console colors alerts. */
  readonly console_severity_label: string
  /** Who may do what. */
  readonly access: AccessSection | undefined
}

const listenAddress: Schema<ListenAddress> = parsed(
  { type: ['string', 'integer'] },
  (given, report) => {
    if (typeof given !== 'string' && typeof given !== 'number') {
      return report('wrong_type', 'must be an address such as 127.0.0.1:8081')
    }
    try {
      return parseListenAddress(/^\d+$/.test(String(given)) ? `:${given}` : String(given))
    } catch (error) {
      return report('out_of_range', messageOf(error))
    }
  },
)

const ownFields: Fields<OwnConfig> = {
  listen: optional(listenAddress, 'Host and port in one, as `127.0.0.1:8081`.'),
  web_config: optional(
    filledText,
    'A [web configuration file](#the-web-configuration-file): TLS instead of `tls`, users, headers.',
  ),
  webhook_files: withDefault(
    listOf(filledText),
    [],
    '[Further files with webhooks](webhook-files.md): their paths, or patterns such as `hooks.d/*.yaml`; a pattern may match nothing. A bad one takes only its own webhooks down.',
  ),
  allowed_hosts: withDefault(
    listOf(text),
    [],
    'Host names that a server at a loopback address accepts besides those of `external_url` and `public_origin`, see [below](#requests-of-browsers); `*` means all.',
  ),
  storage: optional(
    storageSection,
    'Where all data is stored. Required for alerts and sign-in. Default: memory.',
  ),
  alerts: optional(alertsSection, 'The alert service. Default: no alerts.'),
  auth: optional(
    authSection,
    'The [authentication flow service](cli-sign-in.md). Default: no sign-in.',
  ),
  console: withDefault(
    flag,
    true,
    'Whether to serve the [console](console.md) at `/`, or at the route prefix of the alerts.',
  ),
  console_severity_label: withDefault(
    filledText,
    'severity',
    'The label by which the console colors alerts.',
  ),
  access: optional(
    accessSection,
    'Who may do what, see [Authorization](authorization.md). Default: any client that reaches the server may do everything.',
  ),
}

/** The settings of the command in the file of `gatehouse api`. */
export const gatehouseSettings: OwnSettings<
  OwnConfig & ServerSettings,
  ConnectionLimits,
  LogFileSettings
> = {
  fields: { ...ownFields, ...serverSettings.fields },
  limits: serverSettings.limits,
  log: serverSettings.log,
  check(checking) {
    const { value, isBroken, report } = checking
    const isThere = (key: keyof (OwnConfig & ServerSettings)): boolean =>
      value[key] !== undefined || isBroken(key)
    if (isThere('port') && isThere('socket'))
      report(['socket'], 'conflict', 'set port or socket, not both')
    for (const key of ['port', 'host', 'socket'] as const) {
      if (isThere('listen') && isThere(key))
        report([key], 'conflict', `set listen or ${key}, not both`)
    }
    checkStorage(checking)
  },
}

function checkStorage({
  value,
  isBroken,
  report,
}: Pick<Checking<OwnConfig>, 'value' | 'isBroken' | 'report'>): void {
  const isThere = (key: keyof OwnConfig): boolean => value[key] !== undefined || isBroken(key)
  if ((isThere('alerts') || isThere('auth')) && !isThere('storage')) {
    const choices = '{ sqlite: FILE }, { postgres: URL } or { memory: true }'
    report(['storage'], 'required', `is missing: ${choices}`)
  }
}

/** The top-level keys that belong neither to the webhook service nor to the server. */
const ownKeys: readonly string[] = Object.keys(ownFields)

/** Any mapping, for commands that do not use the sections `auth` and `access`. */
const anyMapping: Schema<object> = parsed({ type: 'object' }, (given, report) =>
  isMapping(given) ? given : report('wrong_type', 'must be a mapping'),
)

/** The settings of the command in a file, without `auth` and `access`. */
export interface OwnConfigAlone extends Omit<OwnConfig, 'auth' | 'access'> {
  readonly auth: object | undefined
  readonly access: object | undefined
}

const ownAloneSchema: Schema<OwnConfigAlone> = checked(
  mapping<OwnConfigAlone>({
    ...ownFields,
    auth: optional(anyMapping, ''),
    access: optional(anyMapping, ''),
  }),
  checkStorage,
)

/** Decodes the settings of the command, and ignores other keys. */
export function decodeOwnConfig(root: MappingNode): Inspected<OwnConfigAlone> {
  const entries = withoutEmptySections(root).entries.filter(({ key }) => isOwnKey(key))
  return inspectDocument({ ...root, entries }, ownAloneSchema)
}

const isOwnKey = (key: ConfigNode): boolean => key.kind === 'scalar' && ownKeys.includes(key.text)

/** The document without empty sections and without empty keys of sections. */
export function withoutEmptySections(root: MappingNode): MappingNode {
  const entries = root.entries.flatMap(({ key, value }) => {
    if (!isOwnKey(key)) return [{ key, value }]
    if (isNull(value)) return []
    const isSection = value.kind === 'mapping'
    const members = isSection ? value.entries.filter((entry) => !isNull(entry.value)) : []
    return [{ key, value: isSection ? { ...value, entries: members } : value }]
  })
  return { ...root, entries }
}

/** Top-level keys that configure webhooks, not only the server. */
const webhookKeys = [
  'webhooks',
  'webhook_files',
  'base_path',
  'hash_endpoint',
  'hide_ids',
  'defaults',
  'executor',
  'admin',
  'history',
  'metrics',
]

/** The keys of a mapping. */
export function keysOf(node: MappingNode): ReadonlySet<string> {
  return new Set(node.entries.map(({ key }) => (key.kind === 'scalar' ? key.text : '')))
}

/** The valid configuration of a file. */
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

/** Whether webhooks are served: if the file configures them, or no other service. */
export function servesWebhooks({
  alerts,
  auth,
  keys,
}: Pick<ApiConfig, 'alerts' | 'auth' | 'keys'>): boolean {
  return (alerts ?? auth) === undefined || webhookKeys.some((key) => keys.has(key))
}

/**
 * Where to listen: flags override the sockets of a service manager, and these the file. The default is all addresses, at port
 * 9093 if alerts are served and else 8081.
 */
export function listenPlacesOf(
  config: ApiConfig,
  flags: ListenFlags,
  inherited: readonly ListenPlace[] = [],
): readonly ListenPlace[] {
  if (flags.listen !== undefined) return flags.listen
  const { listen, alerts, server } = config
  const asksForAddress = flags.host !== undefined || flags.port !== undefined
  if (inherited.length > 0 && !asksForAddress) return inherited
  if (server.socket !== undefined && !asksForAddress) return [{ path: server.socket }]
  const defaultPort = alerts === undefined ? 8_081 : 9_093
  const port = flags.port ?? listen?.port ?? server.port ?? defaultPort
  const host = flags.host ?? listen?.host ?? server.host
  return [host === undefined ? { port } : { host, port }]
}

/**
 * The HTTP limits of the server. The default timeouts of a server with alerts suit Prometheus. The number of connections is
 * limited only if webhooks alone are served, because clients that wait for a link keep theirs open.
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
