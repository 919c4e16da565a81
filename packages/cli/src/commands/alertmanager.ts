import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Logger } from '@gatehouse/core'
import { createMetricsRegistry } from '@gatehouse/core/adapter'
import type { AlertsConfigSource, MatcherMode } from '@gatehouse/core/alerts'
import { createStorageHealth } from '@gatehouse/core/store'
import { Command, Option } from 'commander'
import { readTextFile } from '../config/config-file.ts'
import type { ReadFiles } from '../config/read-files.ts'
import { withTemplateFiles } from '../config/template-files.ts'
import { acceptClusterFlags, type ClusterFlags, clusterOf } from '../flags/cluster-flags.ts'
import { matcherModeOf } from '../flags/features.ts'
import {
  addSwitch,
  durationFlag,
  externalUrlFlag,
  integerFlag,
  listenAddressFlag,
  repeatedFlag,
} from '../flags/flags.ts'
import { addLogFlags, type LogFlags, loggerFor } from '../flags/log-flags.ts'
import { registerProcessMetrics } from '../log/process-metrics.ts'
import { oneAtATime } from '../reload/one-at-a-time.ts'
import { createReloading } from '../reload/reload.ts'
import { runCommand } from '../run-command.ts'
import { serve } from '../serve.ts'
import { hostsOf, type ListenAddress, machineUrl } from '../server/listen-address.ts'
import {
  createWebGuard,
  type GuardRules,
  openRules,
  readGuardRules,
  type WebGuard,
} from '../server/web-guard.ts'
import { type AlertsServiceSettings, prepareAlerts } from '../services/alerts.ts'
import { openStorage, type StorageChoice, storageName } from '../storage.ts'
import { alertmanagerVersion } from '../version.ts'

/** The flags. Their names are in commander's spelling. */
interface AlertmanagerFlags extends LogFlags, ClusterFlags {
  readonly 'config.file': string
  readonly 'storage.path': string
  readonly 'storage.memory'?: boolean
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
  readonly 'web.config.file'?: string
  readonly 'web.corsOrigin'?: readonly string[]
  readonly 'web.allowedHost'?: readonly string[]
  readonly enableFeature?: readonly string[]
}

/**
 * `gatehouse alertmanager`: a drop-in replacement for the `alertmanager` command, with its flags.
 *
 * @see Alertmanager, `alertmanager --help`
 */
export function alertmanagerCommand(): Command {
  const command = new Command('alertmanager')
    .description('Run the alert service with the flags of the alertmanager command.')
    .version(alertmanagerVersion(), '--version', 'print versions and exit')
  addStorageFlags(command)
  addLimitFlags(command)
  addWebFlags(command)
  acceptClusterFlags(command)
  addLogFlags(command)
  addSwitch(command, 'log.silences', 'log every change of a silence')
  return command
    .option(
      '--enable-feature <names>',
      'features to enable, separated by commas: classic-mode, utf8-strict-mode',
      repeatedFlag,
    )
    .action(() => runCommand(() => serveAlertmanager(command, command.opts<AlertmanagerFlags>())))
}

function addStorageFlags(command: Command): void {
  command
    .option('--config.file <file>', 'the configuration file', 'alertmanager.yml')
    .option('--storage.path <folder>', 'the folder of the database file', 'data/')
    .option('--storage.memory', 'keep the data in memory only (Gatehouse only)')
    .addOption(
      new Option(
        '--storage.durability <what>',
        'what an acknowledged write survives: a crash of the process, or a power cut too (Gatehouse only)',
      )
        .choices(['process', 'power'])
        .default('process'),
    )
    .addOption(lengthFlag('data.retention', 'how long expired silences are kept', '120h'))
    .addOption(
      lengthFlag('data.maintenance-interval', 'how often expired silences are removed', '15m'),
    )
    .addOption(lengthFlag('alerts.gc-interval', 'how often resolved alerts are removed', '30m'))
    .addOption(lengthFlag('dispatch.maintenance-interval', 'accepted and ignored', '30s'))
    .addOption(
      lengthFlag('dispatch.start-delay', 'how long to send no notifications after the start', '0s'),
    )
}

function addLimitFlags(command: Command): void {
  command
    .addOption(
      countFlag(
        'alerts.per-alertname-limit',
        'the most live alerts with one alertname; 0: no limit',
      ),
    )
    .addOption(countFlag('silences.max-silences', 'the most stored silences; 0: no limit'))
    .addOption(
      countFlag(
        'silences.max-silence-size-bytes',
        'the maximum size of a silence; 0: no limit',
        256 * 1024,
      ),
    )
    .addOption(
      countFlag(
        'silences.max-matchers',
        'the most matchers of a silence; 0: no limit (Gatehouse only)',
        100,
      ),
    )
    .addOption(
      countFlag(
        'alerts.max-per-request',
        'the most alerts in one request; 0: no limit (Gatehouse only)',
        20_000,
      ),
    )
    .addOption(
      countFlag(
        'alerts.max-length',
        'the maximum length of an alert as JSON, in characters; 0: no limit (Gatehouse only)',
        256 * 1024,
      ),
    )
    .addOption(
      countFlag(
        'alerts.max-labels',
        'the most labels and annotations of an alert; 0: no limit (Gatehouse only)',
        1_000,
      ),
    )
}

function addWebFlags(command: Command): void {
  command
    .option(
      '--web.listen-address <address>',
      'where to listen, as :9093 or host:port; may be repeated (default: :9093)',
      listenAddressFlag,
    )
    .addOption(
      new Option('--web.external-url <url>', 'the URL at which users reach the service')
        .argParser(externalUrlFlag)
        .default('', 'this host'),
    )
    .option(
      '--web.route-prefix <path>',
      'the prefix of every path (default: the path of the external URL)',
    )
    .addOption(
      lengthFlag(
        'web.timeout',
        'the time after which a request is answered with 503; 0: never',
        '0',
      ),
    )
    .addOption(
      countFlag(
        'web.get-concurrency',
        'the most concurrent GET requests; 0: the number of processors, or 8 if that is more',
      ),
    )
    .addOption(
      countFlag(
        'web.max-filters',
        'the most filters in one request; 0: no limit (Gatehouse only)',
        100,
      ),
    )
    .addOption(
      countFlag(
        'web.max-body-bytes',
        'the maximum size of a request body (Gatehouse only)',
        16 * 1024 * 1024,
      ),
    )
    .option('--web.config.file <file>', 'a file with TLS settings, users and headers')
    .option(
      '--web.cors-origin <origin>',
      'an origin whose pages may use the API, or *; may be repeated (Gatehouse only)',
      repeatedFlag,
    )
    .option(
      '--web.allowed-host <name>',
      'a host name to accept at a loopback address, or *; may be repeated (Gatehouse only)',
      repeatedFlag,
    )
}

function lengthFlag(name: string, description: string, otherwise: string): Option {
  return new Option(`--${name} <duration>`, description)
    .argParser(durationFlag)
    .default(durationFlag(otherwise), otherwise)
}

function countFlag(name: string, description: string, otherwise = 0): Option {
  return new Option(`--${name} <number>`, description).argParser(integerFlag).default(otherwise)
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
  const rules = webConfig === '' ? openRules : await readGuardRules(webConfig, files)
  const source = await readTextFile(flags['config.file'], files)
  return { rules, config: await withTemplateFiles(source, mode, files) }
}

async function serveAlertmanager(command: Command, flags: AlertmanagerFlags): Promise<number> {
  const logger = loggerFor(flags)
  const places = flags['web.listenAddress'] ?? [{ port: 9_093 }]
  const matcherMode = matcherModeOf(flags.enableFeature ?? [], logger)
  const reloading = createReloading((files) => load(flags, matcherMode, files))
  const { config, rules } = await reloading.read()
  const guard = createWebGuard(rules)
  const prepared = prepareAlerts({
    config,
    settings: { ...settingsOf(command, flags, { places, guard, logger }), matcherMode },
    reload: async () => (await reloading.read()).config,
    startDelayMs: flags['dispatch.startDelay'],
  })
  const choice = storageOf(flags)
  const storage = openStorage(choice, { logger })
  const metrics = createMetricsRegistry()
  const health = createStorageHealth({ storage, logger, metrics })
  const services = [prepared.create({ storage, logger, metrics, health })]
  registerProcessMetrics(metrics)
  return serve({
    services,
    storage,
    storageName: storageName(choice),
    places,
    hosts: [...(flags['web.allowedHost'] ?? []), ...hostsOf(flags['web.externalUrl'])],
    guard,
    logger,
    reload: oneAtATime(() =>
      reloading.reload({ services, logger, apply: (next) => guard.replace(next.rules, logger) }),
    ),
  })
}

function storageOf(flags: AlertmanagerFlags): StorageChoice {
  if (flags['storage.memory'] === true) return { kind: 'memory' }
  const filename = join(flags['storage.path'], 'gatehouse.db')
  return { kind: 'sqlite', filename, durability: flags['storage.durability'] }
}

interface Surroundings {
  readonly places: readonly ListenAddress[]
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
    routePrefix: flags['web.routePrefix'],
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
    corsOrigins: flags['web.corsOrigin'] ?? [],
    cluster: clusterOf(command, flags, logger),
  }
}
