import { resolve } from 'node:path'
import {
  type AlertsContext,
  type AlertsOptions,
  createAlerts,
  type Running,
  startDispatcher,
  startHeartbeat,
  startHistory,
  startMaintenance,
} from '@gatehouse/core'
import {
  type AlertsConfigSource,
  type DispatcherOptions,
  reloadAlertsConfig,
} from '@gatehouse/core/alerts'
import {
  type ConfigNode,
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
import { type ClusterSection, clusterSection } from '../cluster.ts'
import { readTextFile, type TextFile } from '../config/config-file.ts'
import { documentOrPath, duration } from '../config/kinds.ts'
import type { ReadFiles } from '../config/read-files.ts'
import type { PreparedService, Service } from '../service.ts'
import { thisMachine } from '../this-machine.ts'

/** Settings of the service; what is `undefined` has its default. */
export type AlertsServiceSettings = {
  readonly [Key in Exclude<
    keyof AlertsOptions,
    'storage' | 'config' | 'clock' | 'ids' | 'logger' | 'metrics' | 'reload' | 'versionInfo'
  >]?: AlertsOptions[Key] | undefined
}

/** Options of {@link prepareAlerts}. */
export interface PrepareAlertsOptions {
  /** With its template files, and good. */
  readonly config: AlertsConfigSource
  readonly settings: AlertsServiceSettings
  /** Reads the configuration again, as it was read before. */
  readonly reload: () => Promise<AlertsConfigSource>
  /** For so long after the start nothing is sent, in ms (default 0). */
  readonly startDelayMs?: number
}

/** The alert service of a server that is about to start. */
export function prepareAlerts(given: PrepareAlertsOptions): PreparedService {
  const { config, settings, reload, startDelayMs = 0 } = given
  return {
    create(ports) {
      const options = { ...thisMachine, ...withoutUndefined(settings), ...ports, config, reload }
      return serviceOf(createAlerts(options), { startDelayMs })
    },
  }
}

function serviceOf(alerts: AlertsContext, dispatcher: DispatcherOptions): Service {
  const { routes, fallbackRoutes } = alerts
  const { routePrefix, externalUrl } = alerts.options
  return {
    name: 'alerts',
    routes,
    fallbackRoutes,
    summary: {
      path: `${routePrefix}/api/v2/`,
      externalUrl,
      receivers: alerts.config.current.receivers.length,
    },
    start() {
      const history = startHistory(alerts)
      const parts = together([
        startMaintenance(alerts),
        startHeartbeat(alerts),
        startDispatcher(alerts, dispatcher),
      ])
      return {
        async stop() {
          await parts.stop()
          // Last, so that what the others decide in the end is in it.
          await history.stop()
        },
      }
    },
    reload: () => reloadAlertsConfig(alerts),
  }
}

/** Several things that run, as one. */
function together(parts: readonly Running[]): Running {
  return {
    async stop() {
      await Promise.all(parts.map((part) => part.stop()))
    },
  }
}

function withoutUndefined(settings: AlertsServiceSettings): Partial<AlertsOptions> {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined)
  // What is left is what was given: AlertsServiceSettings differs from the options in `undefined` alone.
  return Object.fromEntries(given) as Partial<AlertsOptions>
}

/** The section `alerts` of the file of `gatehouse api`. */
export interface AlertsSection {
  readonly config: 'path' | 'content'
  readonly external_url: string | undefined
  readonly route_prefix: string | undefined
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
  readonly log_silences: boolean | undefined
  readonly matcher_mode: 'fallback' | 'utf8' | 'classic'
  readonly status_config: 'loaded' | 'source'
  readonly max_body_bytes: number | undefined
  readonly get_concurrency: number | undefined
  readonly timeout: number | undefined
  readonly cors_methods: readonly string[] | undefined
  readonly cors_origins: readonly string[]
  /** Absent: the service takes part in no cluster. */
  readonly cluster: ClusterSection | undefined
}

const count: Schema<number> = integer(0)
const length: Schema<number> = duration(0)
const httpUrl: Schema<string> = textLike((url) => /^https?:\/\//i.test(url), 'an http or https URL')
const origin: Schema<string> = textLike(
  (given) => given === '*' || /^https?:\/\/[^/]+\/?$/i.test(given),
  'an origin such as https://karma.example.com, or *',
)

/** How the section is read. */
export const alertsSection: Schema<AlertsSection> = mapping<AlertsSection>(
  {
    config: required(documentOrPath, 'The path of an alertmanager.yml, or its content.'),
    external_url: optional(
      httpUrl,
      'Where people reach the server. Default: the name of the machine and its port.',
    ),
    route_prefix: optional(
      text,
      'The beginning of every path. Default: the path of `external_url`.',
    ),
    retention: optional(length, 'How long silences and notifications that have ended are kept.'),
    history_retention: optional(
      length,
      'How long the [history](alerts.md#history) is kept; 0: there is none. Default: `336h`.',
    ),
    history_max_bytes: optional(
      count,
      'How many bytes the history takes; 0: any number. Default: 134217728.',
    ),
    maintenance_interval: optional(length, 'How often outdated records are removed.'),
    gc_interval: optional(length, 'How often resolved alerts are removed.'),
    per_alertname_limit: optional(count, 'How many alerts one alertname may have; 0: no limit.'),
    max_silences: optional(count, 'How many silences there may be; 0: no limit.'),
    max_silence_size_bytes: optional(count, 'How large a silence may be; 0: no limit.'),
    max_matchers_per_silence: optional(count, 'How many matchers a silence may have.'),
    max_alerts_per_request: optional(count, 'How many alerts one request may have.'),
    max_alert_length: optional(count, 'How long one alert may be, in bytes.'),
    max_labels_per_alert: optional(count, 'How many labels an alert may have.'),
    max_filters: optional(count, 'How many filters one request may have.'),
    log_silences: optional(flag, 'Whether changes of silences are logged.'),
    matcher_mode: withDefault(
      oneOf('fallback', 'utf8', 'classic'),
      'fallback',
      'How matchers are parsed, as with `--enable-feature` of Alertmanager.',
    ),
    status_config: withDefault(
      oneOf('loaded', 'source'),
      'loaded',
      'Which configuration `/api/v2/status` shows: with its defaults (`loaded`), or as it was written (`source`).',
    ),
    max_body_bytes: optional(count, 'How large the body of a request may be.'),
    get_concurrency: optional(count, 'How many GET requests are served at once.'),
    timeout: optional(length, 'How long a request may take.'),
    cors_methods: optional(listOf(text), 'Methods that web pages of other origins may use.'),
    cors_origins: withDefault(
      listOf(origin),
      [],
      'Origins of web pages that may send requests, see [below](#requests-of-browsers); `*` is all.',
    ),
    cluster: optional(
      clusterSection,
      'How this server is named in a [cluster](alerts.md#several-processes); `{}` is enough. Default: it is in none.',
    ),
  },
  { title: 'Alerts' },
)

/** The settings of a section, for {@link prepareAlerts}. `url` is where people reach the server if it does not say. */
export function alertsSettings(section: AlertsSection, url: string): AlertsServiceSettings {
  return {
    externalUrl: section.external_url ?? url,
    routePrefix: section.route_prefix,
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
    logSilences: section.log_silences,
    matcherMode: section.matcher_mode,
    statusConfig: section.status_config,
    maxBodyBytes: section.max_body_bytes,
    getConcurrency: section.get_concurrency,
    timeoutMs: section.timeout,
    corsMethods: section.cors_methods,
    corsOrigins: section.cors_origins,
  }
}

/**
 * The configuration that the key `config` of the section names or holds. What stands in the section itself keeps its lines and columns, so that
 * messages point into the file it stands in.
 *
 * @throws {Error} if the file cannot be read.
 */
export async function readAlertsSource(
  config: ConfigNode | undefined,
  file: TextFile,
  files?: ReadFiles,
): Promise<AlertsConfigSource> {
  if (config?.kind !== 'mapping') {
    const named = config?.kind === 'scalar' ? config.text : ''
    return readTextFile(resolve(file.directory, named), files)
  }
  const before = file.text.slice(0, config.start).replace(/[^\n]/g, ' ')
  const text = before + file.text.slice(config.start, config.end)
  return { text, directory: file.directory, filename: file.filename }
}
