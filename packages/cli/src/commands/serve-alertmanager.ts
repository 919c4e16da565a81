import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Logger } from '@gatehouse/core'
import { createMetricsRegistry } from '@gatehouse/core/adapter'
import {
  type AlertsConfigSource,
  alertsConfigWarnings,
  type MatcherMode,
} from '@gatehouse/core/alerts'
import { createStorageHealth } from '@gatehouse/core/store'
import type { Command } from 'commander'
import { readAlertsConfigFile } from '../config/alerts-config-file.ts'
import { failureLines } from '../config/failure.ts'
import { createReadFiles, type ReadFiles } from '../config/read-files.ts'
import { withTemplateFiles } from '../config/template-files.ts'
import { type ClusterFlags, clusterOf } from '../flags/cluster-flags.ts'
import { featuresOf } from '../flags/features.ts'
import { type AlertmanagerLogFlags, logSettingsIn } from '../flags/log-flags.ts'
import { createLogger } from '../log/logger.ts'
import { registerProcessMetrics } from '../log/process-metrics.ts'
import { startTracing } from '../log/start-tracing.ts'
import { oneAtATime } from '../reload/one-at-a-time.ts'
import { createReloading } from '../reload/reload.ts'
import { serve } from '../serve.ts'
import {
  hostsOf,
  type ListenAddress,
  type ListenPlace,
  machineUrl,
} from '../server/listen-address.ts'
import { openAlertsWarning, socketWarnings } from '../server/start-warnings.ts'
import {
  createWebGuard,
  type GuardRules,
  openRules,
  readGuardRules,
  type WebGuard,
} from '../server/web-guard.ts'
import { type AlertsServiceSettings, prepareAlerts } from '../services/alerts.ts'
import { openStorage, requireSharedStorage, type StorageChoice, storageName } from '../storage.ts'
import { packageVersion } from '../version.ts'
import type { ServingProcess } from '../workers/serve-with-workers.ts'

/** The flags of `gatehouse alertmanager`. Their names are in commander's spelling. */
export interface AlertmanagerFlags extends AlertmanagerLogFlags, ClusterFlags {
  readonly 'config.file': string
  readonly 'storage.path': string
  readonly 'storage.memory'?: boolean
  readonly workers?: number
  readonly 'storage.durability': 'process' | 'power'
  readonly 'data.retention': number
  readonly 'data.maintenanceInterval': number
  readonly 'alerts.gcInterval': number
  readonly 'dispatch.startDelay': number
  readonly 'alerts.perAlertnameLimit': number
  readonly 'silences.maxSilences': number
  readonly 'silences.maxSilenceSizeBytes': number
  readonly 'silences.maxMatchers': number
  readonly 'alerts.maxPerRequest': number
  readonly 'alerts.maxLength': number
  readonly 'alerts.maxLabels': number
  readonly 'web.maxFilters': number
  readonly 'web.maxBodyBytes': number
  readonly 'log.silences'?: boolean
  readonly 'web.listenAddress'?: readonly ListenAddress[]
  readonly 'web.externalUrl': string
  readonly 'web.routePrefix'?: string
  readonly 'web.timeout': number
  readonly 'web.getConcurrency': number
  readonly 'web.console': boolean
  readonly 'web.consoleSeverityLabel': string
  readonly 'web.config.file'?: string
  readonly 'web.accessFile'?: string
  readonly 'web.allowedOrigin'?: readonly string[]
  readonly 'web.allowedHost'?: readonly string[]
  readonly 'web.trustedProxy'?: readonly string[]
  readonly enableFeature?: readonly string[]
}

/** The contents of all files. */
interface Loaded {
  readonly config: AlertsConfigSource
  readonly rules: GuardRules
}

async function load(
  flags: AlertmanagerFlags,
  mode: MatcherMode,
  files: ReadFiles,
): Promise<Loaded> {
  const webConfig = flags['web.config.file'] ?? ''
  const guarding = webConfig === '' ? openRules : await readGuardRules(webConfig, files)
  const rules = { ...guarding, access: await loadAccess(flags, mode, guarding, files) }
  const source = await readAlertsConfigFile(flags['config.file'], files)
  return { rules, config: await withTemplateFiles(source, mode, files) }
}

async function loadAccess(
  { 'web.accessFile': filename = '' }: AlertmanagerFlags,
  mode: MatcherMode,
  { users, tls }: GuardRules,
  files: ReadFiles,
): Promise<GuardRules['access']> {
  if (filename === '') return undefined
  const { readAccessFile } = await import('../access/load-access.ts')
  const asksForCertificates = tls?.requestCert === true
  return readAccessFile(filename, { mode, users, asksForCertificates, hasSessions: false }, files)
}

/** Runs the alert service until a signal stops it. @returns the exit code. */
export async function serveAlertmanager(
  command: Command,
  flags: AlertmanagerFlags,
  { sockets, worker }: ServingProcess,
): Promise<number> {
  const choice = storageOf(flags)
  if (worker !== undefined) requireSharedStorage(choice)
  const logger = createLogger(logSettingsIn(flags))
  const places =
    flags['web.listenAddress'] ?? (sockets.places.length > 0 ? sockets.places : [{ port: 9_093 }])
  const features = flags.enableFeature ?? []
  const { matcherMode, metricLabels, recordsEvents } = featuresOf(features, logger)
  const { config, rules } = await load(flags, matcherMode, createReadFiles())
  const reloading = createReloading({
    load: (files) => load(flags, matcherMode, files),
    logger,
    onSingle: worker?.reloadOthers,
  })
  const guard = createWebGuard(rules)
  const howTo = 'set --web.access-file, or --web.config.file, or listen on 127.0.0.1'
  const warnings = [...socketWarnings(sockets, places), ...openAlertsWarning(rules, places, howTo)]
  for (const warning of warnings) logger.warn({}, warning)
  /** The problems of the files on disk, which the next reload would read. */
  const findProblems = (): Promise<readonly string[]> =>
    load(flags, matcherMode, createReadFiles()).then(
      (now) => [...warnings, ...alertsConfigWarnings(now.config, matcherMode)],
      failureLines,
    )
  const prepared = prepareAlerts({
    config,
    settings: {
      ...settingsOf(command, flags, { places, guard, logger }),
      matcherMode,
      metricLabels,
      findProblems,
    },
    recordsEvents,
    reload: async () => (await reloading.read()).config,
    startDelayMs: flags['dispatch.startDelay'],
  })
  const storage = openStorage(choice, { logger })
  const own = createMetricsRegistry()
  const metrics = worker?.share(own) ?? own
  const health = createStorageHealth({ storage, logger, metrics })
  const { authorize } = guard
  const ports = {
    storage,
    logger,
    metrics,
    health,
    ...(authorize === undefined ? {} : { authorize }),
  }
  const version = packageVersion
  const tracing = await startTracing({ config, matcherMode, version, logger })
  const services = [prepared.create({ ...ports, ...(tracing && { tracer: tracing.tracer }) })]
  registerProcessMetrics(metrics)
  return serve({
    services,
    storage,
    tracing,
    storageName: storageName(choice),
    console: flags['web.console'],
    severityLabel: flags['web.consoleSeverityLabel'],
    places,
    hosts: [...(flags['web.allowedHost'] ?? []), ...hostsOf(flags['web.externalUrl'])],
    trustedProxies: flags['web.trustedProxy'] ?? [],
    guard,
    logger,
    ...(worker === undefined ? {} : { worker: { ...worker, log: logSettingsIn(flags) } }),
    reload: oneAtATime(() =>
      reloading.reload({ services, apply: (next) => guard.replace(next.rules, logger) }),
    ),
  })
}

function storageOf(flags: AlertmanagerFlags): StorageChoice {
  if (flags['storage.memory'] === true) return { kind: 'memory' }
  const filename = join(flags['storage.path'], 'gatehouse.db')
  return { kind: 'sqlite', filename, durability: flags['storage.durability'] }
}

interface Surroundings {
  readonly places: readonly ListenPlace[]
  readonly guard: WebGuard
  readonly logger: Logger
}

function settingsOf(
  command: Command,
  flags: AlertmanagerFlags,
  { places, guard, logger }: Surroundings,
): AlertsServiceSettings {
  const concurrency = flags['web.getConcurrency']
  return {
    externalUrl: flags['web.externalUrl'] || machineUrl(places, guard.tls !== undefined),
    basePath: flags['web.routePrefix'],
    retentionMs: flags['data.retention'],
    maintenanceIntervalMs: flags['data.maintenanceInterval'],
    gcIntervalMs: flags['alerts.gcInterval'],
    perAlertnameLimit: flags['alerts.perAlertnameLimit'],
    maxSilences: flags['silences.maxSilences'],
    maxSilenceSizeBytes: flags['silences.maxSilenceSizeBytes'],
    maxMatchersPerSilence: flags['silences.maxMatchers'],
    maxAlertsPerRequest: flags['alerts.maxPerRequest'],
    maxAlertLength: flags['alerts.maxLength'],
    maxLabelsPerAlert: flags['alerts.maxLabels'],
    maxFilters: flags['web.maxFilters'],
    maxBodyBytes: flags['web.maxBodyBytes'],
    logSilences: flags['log.silences'],
    timeoutMs: Math.max(0, flags['web.timeout']),
    getConcurrency: concurrency > 0 ? concurrency : Math.max(8, availableParallelism()),
    allowedOrigins: flags['web.allowedOrigin'] ?? [],
    cluster: clusterOf(command, flags, logger),
  }
}
