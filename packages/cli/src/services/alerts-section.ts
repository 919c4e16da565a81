import { resolve } from 'node:path'
import { type AlertsConfigSource, parseMatchers } from '@gatehouse/core/alerts'
import {
  type ConfigNode,
  duration,
  filledText,
  flag,
  integer,
  listOf,
  mapping,
  oneOf,
  optional,
  required,
  type Schema,
  text,
  textLike,
  withDefault,
} from '@gatehouse/core/document'
import {
  type ConfigParts,
  readAlertsConfigFile,
  readConfigParts,
  referencesTo,
} from '../config/alerts-config-file.ts'
import type { TextFile } from '../config/config-file.ts'
import { checkedBy, documentOrPath } from '../config/kinds.ts'
import { createReadFiles, type ReadFiles } from '../config/read-files.ts'
import type { AlertsServiceSettings } from './alerts.ts'
import { type ClusterSection, clusterSection } from './cluster-section.ts'
import { type ExpectEntry, expectSection } from './expect-section.ts'
import {
  type OtherServerEntry,
  otherServersOf,
  otherServersSection,
} from './other-servers-section.ts'

/** The section `alerts` of a `gatehouse api` file. */
export interface AlertsSection {
  readonly config: 'path' | 'content'
  readonly config_parts: readonly ConfigParts[]
  readonly expect: readonly ExpectEntry[] | undefined
  readonly other_servers: readonly OtherServerEntry[]
  readonly external_url: string | undefined
  readonly base_path: string | undefined
  readonly retention: number | undefined
  readonly history_retention: number | undefined
  readonly history_max_bytes: number | undefined
  readonly maintenance_interval: number | undefined
  readonly gc_interval: number | undefined
  readonly per_alertname_limit: number | undefined
  readonly max_silences: number | undefined
  readonly max_silence_size_bytes: number | undefined
  readonly max_matchers_per_silence: number | undefined
  readonly max_alerts_per_request: number | undefined
  readonly max_alert_length: number | undefined
  readonly max_labels_per_alert: number | undefined
  readonly max_filters: number | undefined
  readonly max_change_listeners: number | undefined
  readonly severity_label: string | undefined
  readonly severities: readonly string[] | undefined
  readonly log_silences: boolean | undefined
  readonly matcher_mode: 'fallback' | 'utf8' | 'classic'
  readonly status_config: 'loaded' | 'source'
  readonly max_body_bytes: number | undefined
  readonly get_concurrency: number | undefined
  readonly timeout: number | undefined
  readonly cors_methods: readonly string[] | undefined
  readonly allowed_origins: readonly string[]
  /** Absent: the service is not part of a cluster. */
  readonly cluster: ClusterSection | undefined
}

const count: Schema<number> = integer(0)
const length: Schema<number> = duration({ isAge: true })
const httpUrl: Schema<string> = textLike((url) => /^https?:\/\//i.test(url), 'an http or https URL')
const origin: Schema<string> = textLike(
  (given) => given === '*' || /^https?:\/\/[^/]+\/?$/i.test(given),
  'an origin such as https://karma.example.com, or *',
)

const matcherText: Schema<string> = checkedBy((written) => {
  parseMatchers(written, 'fallback')
  return written
})

const partsSection: Schema<ConfigParts> = mapping<ConfigParts>(
  {
    files: required(
      listOf(filledText),
      'Their paths, or patterns such as `teams/*.yml`; a pattern may match nothing.',
    ),
    matchers: withDefault(
      listOf(matcherText),
      [],
      'Matchers such as `team="storage"`: the routes and inhibit rules of these files apply only to alerts that match all of them.',
    ),
  },
  { title: 'AlertsConfigParts' },
)

/** The schema of the section. */
export const alertsSection: Schema<AlertsSection> = mapping<AlertsSection>(
  {
    config: required(documentOrPath, 'The path of an alertmanager.yml, or its content.'),
    config_parts: withDefault(
      listOf(partsSection),
      [],
      'Further files that are merged into the configuration, see [there](alerts-config.md#several-files).',
    ),
    expect: optional(
      expectSection,
      'Alerts that must keep coming, see [there](alerts-on-call.md#expected-alerts).',
    ),
    other_servers: withDefault(
      otherServersSection,
      [],
      'Other servers whose alerts the console shows beside those of this one, see [there](alerts.md#several-servers).',
    ),
    external_url: optional(
      httpUrl,
      'The URL at which users reach the server. Default: the name of the machine and its port.',
    ),
    base_path: optional(
      text,
      'Where the paths of alerts begin. Default: the path of `external_url`.',
    ),
    retention: optional(
      length,
      'How long expired silences and entries of the notification log are kept.',
    ),
    history_retention: optional(
      length,
      'How long the [history](alerts-history.md#history) is kept; 0 disables it. Default: `336h`.',
    ),
    history_max_bytes: optional(
      count,
      'The maximum size of the history in bytes; 0: no limit. Default: 134217728.',
    ),
    maintenance_interval: optional(length, 'How often outdated records are removed.'),
    gc_interval: optional(length, 'How often resolved alerts are removed.'),
    per_alertname_limit: optional(count, 'The most alerts with one alertname; 0: no limit.'),
    max_silences: optional(count, 'The most silences; 0: no limit.'),
    max_silence_size_bytes: optional(count, 'The maximum size of a silence in bytes; 0: no limit.'),
    max_matchers_per_silence: optional(count, 'The most matchers of a silence.'),
    max_alerts_per_request: optional(count, 'The most alerts in one request.'),
    max_alert_length: optional(count, 'The maximum length of an alert as JSON, in characters.'),
    max_labels_per_alert: optional(count, 'The most labels and annotations of an alert.'),
    max_filters: optional(count, 'The most filters in one request.'),
    max_change_listeners: optional(
      count,
      'The most open [streams of changes](alerts-history.md#changes-as-they-happen) of a process. Default: 1000.',
    ),
    severity_label: optional(
      filledText,
      'The label that names the severity, for [acknowledgements](alerts-on-call.md#acknowledge) and sorting. Default: `severity`.',
    ),
    severities: optional(
      listOf(filledText),
      'Its values, the least severe first. Default: `[info, warning, critical]`.',
    ),
    log_silences: optional(flag, 'Whether changes of silences are logged.'),
    matcher_mode: withDefault(
      oneOf('fallback', 'utf8', 'classic'),
      'fallback',
      'How matchers are parsed, as with `--enable-feature` of Alertmanager.',
    ),
    status_config: withDefault(
      oneOf('loaded', 'source'),
      'loaded',
      'The configuration that `/api/v2/status` shows: with its defaults (`loaded`), or as it was written (`source`).',
    ),
    max_body_bytes: optional(count, 'The maximum size of a request body in bytes.'),
    get_concurrency: optional(count, 'The most concurrent GET requests.'),
    timeout: optional(length, 'The time after which a request is answered with 503.'),
    cors_methods: optional(listOf(text), 'Methods that web pages of other origins may use.'),
    allowed_origins: withDefault(
      listOf(origin),
      [],
      'Origins of web pages that may send requests, see [below](#requests-of-browsers); `*` allows all.',
    ),
    cluster: optional(
      clusterSection,
      'Lists this server in a [cluster](alerts.md#several-processes); `{}` is enough. Default: not listed.',
    ),
  },
  { title: 'Alerts', notes: new Map([['route_prefix', 'it is base_path']]) },
)

/**
 * The settings of a section, for {@link prepareAlerts}. `url` is the default of `external_url`, and `directory` the place of the file.
 */
export function alertsSettings(
  section: AlertsSection,
  url: string,
  directory: string,
): AlertsServiceSettings {
  return {
    externalUrl: section.external_url ?? url,
    otherServers: otherServersOf(section.other_servers, directory),
    basePath: section.base_path,
    retentionMs: section.retention,
    historyRetentionMs: section.history_retention,
    historyMaxBytes: section.history_max_bytes,
    maintenanceIntervalMs: section.maintenance_interval,
    gcIntervalMs: section.gc_interval,
    perAlertnameLimit: section.per_alertname_limit,
    maxSilences: section.max_silences,
    maxSilenceSizeBytes: section.max_silence_size_bytes,
    maxMatchersPerSilence: section.max_matchers_per_silence,
    maxAlertsPerRequest: section.max_alerts_per_request,
    maxAlertLength: section.max_alert_length,
    maxLabelsPerAlert: section.max_labels_per_alert,
    maxFilters: section.max_filters,
    maxChangeListeners: section.max_change_listeners,
    severityLabel: section.severity_label,
    severities: section.severities,
    logSilences: section.log_silences,
    matcherMode: section.matcher_mode,
    statusConfig: section.status_config,
    maxBodyBytes: section.max_body_bytes,
    getConcurrency: section.get_concurrency,
    timeoutMs: section.timeout,
    corsMethods: section.cors_methods,
    allowedOrigins: section.allowed_origins,
  }
}

/**
 * Reads the configuration that the key `config` names or holds. An inline configuration keeps its lines and columns, so that
 * messages point into the file that contains it.
 *
 * @throws {Error} if the file cannot be read.
 */
export async function readAlertsSource(
  config: ConfigNode | undefined,
  file: TextFile,
  files: ReadFiles = createReadFiles(),
  given: readonly ConfigParts[] = [],
): Promise<AlertsConfigSource> {
  const parts = await readConfigParts(given, file.directory, files)
  return { ...(await readMain(config, file, files)), ...(parts.length > 0 && { parts }) }
}

async function readMain(
  config: ConfigNode | undefined,
  file: TextFile,
  files: ReadFiles,
): Promise<AlertsConfigSource> {
  if (config?.kind !== 'mapping') {
    const named = config?.kind === 'scalar' ? config.text : ''
    return readAlertsConfigFile(resolve(file.directory, named), files)
  }
  const before = file.text.slice(0, config.start).replace(/[^\n]/g, ' ')
  const text = before + file.text.slice(config.start, config.end)
  const { directory, filename } = file
  return { text, directory, filename, references: referencesTo(files) }
}
