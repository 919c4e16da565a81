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
  type ConfigKind,
  type ConfigNode,
  flag,
  integer,
  optional,
  text,
  texts,
} from '@gatehouse/core/config'
import { type ClusterSection, clusterSection } from '../cluster.ts'
import { duration, oneOfThese, readTextFile, type TextFile } from '../config/config-file.ts'
import { section } from '../config/config-section.ts'
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
  /** The path of an alertmanager.yml, or its content. */
  readonly config: ConfigNode | undefined
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

const anyNode: ConfigKind<ConfigNode | undefined> = {
  typeName: 'path or configuration',
  zero: undefined,
  isOptional: true,
  decode: ({ node }) => node,
  encode: () => undefined,
}

const count: ConfigKind<number | undefined> = optional(integer('uint'))
const length: ConfigKind<number | undefined> = optional(duration)

/** How the section is read. */
export const alertsSection: ConfigKind<AlertsSection> = section<AlertsSection>({
  typeName: 'alerts',
  fields: {
    config: { kind: anyNode },
    external_url: { kind: optional(text) },
    route_prefix: { kind: optional(text) },
    retention: { kind: length },
    history_retention: { kind: length },
    history_max_bytes: { kind: count },
    maintenance_interval: { kind: length },
    gc_interval: { kind: length },
    per_alertname_limit: { kind: count },
    max_silences: { kind: count },
    max_silence_size_bytes: { kind: count },
    max_matchers_per_silence: { kind: count },
    max_alerts_per_request: { kind: count },
    max_alert_length: { kind: count },
    max_labels_per_alert: { kind: count },
    max_filters: { kind: count },
    log_silences: { kind: optional(flag) },
    matcher_mode: { kind: oneOfThese(['fallback', 'utf8', 'classic']) },
    status_config: { kind: oneOfThese(['loaded', 'source']) },
    max_body_bytes: { kind: count },
    get_concurrency: { kind: count },
    timeout: { kind: length },
    cors_methods: { kind: optional(texts) },
    cors_origins: { kind: texts },
    cluster: { kind: optional(clusterSection) },
  },
  check({ config, external_url, cors_origins }, report) {
    const wrong = cors_origins.find(
      (origin) => origin !== '*' && !/^https?:\/\/[^/]+\/?$/i.test(origin),
    )
    if (wrong !== undefined) {
      report(
        `cors_origins must be origins such as https://karma.example.com, or *, got "${wrong}"`,
        'cors_origins',
      )
    }
    const missing = config === undefined || (config.kind === 'scalar' && config.text === '')
    if (missing) report('config is missing: the path of an alertmanager.yml, or its content')
    else if (config.kind === 'sequence') report('config is neither a path nor a mapping', 'config')
    if (external_url !== undefined && !/^https?:\/\//i.test(external_url)) {
      report(`external_url must be an http or https URL, got "${external_url}"`, 'external_url')
    }
  },
})

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
 * The configuration a section names or holds. What stands in the section itself keeps its lines and columns, so that
 * messages point into the file it stands in.
 *
 * @throws {Error} if the file cannot be read.
 */
export async function readAlertsSource(
  section: AlertsSection,
  file: TextFile,
  files?: ReadFiles,
): Promise<AlertsConfigSource> {
  const { config } = section
  if (config?.kind !== 'mapping') {
    const named = config?.kind === 'scalar' ? config.text : ''
    return readTextFile(resolve(file.directory, named), files)
  }
  const before = file.text.slice(0, config.start).replace(/[^\n]/g, ' ')
  const text = before + file.text.slice(config.start, config.end)
  return { text, directory: file.directory, filename: file.filename }
}
