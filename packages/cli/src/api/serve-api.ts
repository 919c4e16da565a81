import type { Logger } from '@gatehouse/core'
import { createMetricsRegistry } from '@gatehouse/core/adapter'
import type { WebhookRuns } from '@gatehouse/core/alerts'
import type { PhoneNumbers } from '@gatehouse/core/phone'
import { createStorageHealth } from '@gatehouse/core/store'
import { loadPhoneNumbers } from '../auth/phone-numbers.ts'
import { peerOf } from '../cluster.ts'
import { chooseConfigFile, ignoredFileWarnings } from '../config/choose-config-file.ts'
import { exitCodeOf, Refused } from '../config/failure.ts'
import type { FoundConfigFile } from '../config/find-config-file.ts'
import { createReadFiles, type ReadFiles } from '../config/read-files.ts'
import { type ApiFlags, logSettingsOf } from '../flags/api-flags.ts'
import type { Listening } from '../listen.ts'
import { createLogger } from '../log/logger.ts'
import { registerProcessMetrics } from '../log/process-metrics.ts'
import { startTracing } from '../log/start-tracing.ts'
import { oneAtATime } from '../reload/one-at-a-time.ts'
import { createReloading, type Reloading } from '../reload/reload.ts'
import { createWatching } from '../reload/watching.ts'
import { printFailure } from '../run-command.ts'
import { serve } from '../serve.ts'
import { firstAddress, hostsOf, type ListenPlace, machineUrl } from '../server/listen-address.ts'
import { createWebGuard, type WebGuard } from '../server/web-guard.ts'
import type { PreparedService } from '../service.ts'
import { alertsSettings } from '../services/alerts-section.ts'
import { openStorage, requireSharedStorage, storageName } from '../storage.ts'
import { packageVersion } from '../version.ts'
import type { ServingProcess } from '../workers/serve-with-workers.ts'
import { httpLimitsOf, listenPlacesOf, servesWebhooks } from './api-config.ts'
import { commandWarnings } from './config-warnings.ts'
import { findProblems } from './find-problems.ts'
import { changedFixedSettings } from './fixed-settings.ts'
import { type LoadedApi, loadApi } from './load-api.ts'
import { warnAtStart } from './warn-at-start.ts'

/** A chosen file and its configuration. */
interface Started {
  readonly found: FoundConfigFile
  readonly loaded: LoadedApi
  readonly digests: ReadonlyMap<string, string>
}

/** Runs the services of a file until a signal stops it. @returns the exit code. */
export async function serveApi(flags: ApiFlags, serving: ServingProcess): Promise<number> {
  let started: Started
  try {
    started = await start(flags)
    if (serving.worker !== undefined) requireSharedStorage(started.loaded.storage)
  } catch (error) {
    printFailure(error)
    return exitCodeOf(error)
  }
  return run(started, flags, serving)
}

async function start({ config }: ApiFlags): Promise<Started> {
  const found = await chooseConfigFile(config)
  const files = createReadFiles()
  return { found, loaded: await loadApi(found.path, files), digests: files.digests }
}

async function run(
  { found, loaded, digests }: Started,
  flags: ApiFlags,
  { sockets, worker }: ServingProcess,
): Promise<number> {
  const { config } = loaded
  const log = logSettingsOf(flags, config.server.log)
  const logger = createLogger(log)
  for (const warning of ignoredFileWarnings(found)) logger.warn({}, warning)
  logger.info({ file: found.path }, 'configuration read')
  const places = listenPlacesOf(config, flags, sockets.places)
  const guard = createWebGuard(loaded.rules)
  const phoneNumbers = loaded.auth === undefined ? undefined : await loadPhoneNumbers()
  const isSecure = guard.tls !== undefined
  const surroundings = { places, sockets, isSecure, knowsPhones: phoneNumbers !== undefined }
  const startWarnings = warnAtStart(loaded, surroundings, logger)
  await warnOfCommands(loaded, logger)

  const load = (files: ReadFiles): Promise<LoadedApi> => loadApi(found.path, files)
  const reloading = createReloading({ load, logger, onSingle: worker?.reloadOthers })
  let { shutdown_grace: shutdownGraceMs } = config.server
  const graceMs = (): number => shutdownGraceMs
  const prepared = await servicesOf(loaded, {
    places,
    guard,
    phoneNumbers,
    reloading,
    graceMs,
    findProblems: async () => [...startWarnings, ...(await findProblems(found.path))],
  })
  // User data and password hashes must not be readable by other users of the machine.
  const isPrivate = loaded.auth !== undefined
  const storage = openStorage(loaded.storage, { logger, isPrivate })
  const own = createMetricsRegistry()
  const metrics = worker?.share(own) ?? own
  const health = createStorageHealth({ storage, logger, metrics })
  const { authorize, subjectOf } = guard
  const ports = {
    storage,
    logger,
    metrics,
    health,
    ...(authorize === undefined ? {} : { authorize }),
    ...(subjectOf === undefined ? {} : { subjectOf }),
  }
  const tracing = await startTracing({
    config: loaded.alerts,
    matcherMode: config.alerts?.matcher_mode ?? 'fallback',
    version: packageVersion,
    logger,
  })
  const tracer = tracing && { tracer: tracing.tracer }
  const services = prepared.map((service) => service.create({ ...ports, ...tracer }))
  for (const { findSession } of services)
    if (findSession !== undefined) guard.findSessions(findSession)
  registerProcessMetrics(metrics)

  let listening: Listening | undefined
  const apply = async (next: LoadedApi): Promise<void> => {
    for (const name of changedFixedSettings(loaded, next)) {
      logger.warn({}, `${name} has changed: this takes effect at the next start`)
    }
    guard.replace(next.rules, logger)
    logger.set(logSettingsOf(flags, next.config.server.log))
    listening?.limit(httpLimitsOf(next.config))
    shutdownGraceMs = next.config.server.shutdown_grace
    watching.turn(flags.watch ?? next.config.server.watch)
    await warnOfCommands(next, logger)
  }
  const reload = oneAtATime(() => reloading.reload({ services, apply, onRead: watching.follow }))
  const watching = createWatching({ onChange: () => void reload(), logger })
  watching.follow(digests, true)

  return serve({
    services,
    storage,
    tracing,
    health,
    storageName: storageName(loaded.storage),
    places,
    hosts: ownHosts(loaded),
    trustedProxies: config.server.trusted_proxies,
    console: config.console,
    severityLabel: config.console_severity_label,
    ...(config.webhooks.metrics ? { metrics } : {}),
    guard,
    logger,
    limits: httpLimitsOf(config),
    reload,
    readyLine: true,
    ...(worker === undefined ? {} : { worker: { ...worker, log } }),
    onListening(given) {
      listening = given
      watching.turn(flags.watch ?? config.server.watch)
      return [{ name: 'watch', stop: () => watching.stop() }]
    },
  })
}

/** The names under which clients reach the services. */
const ownHosts = ({ config, auth }: LoadedApi): readonly string[] => [
  ...config.allowed_hosts,
  ...hostsOf(config.alerts?.external_url),
  ...hostsOf(auth?.configAt('http://localhost').http.public_origin),
]

interface Surroundings {
  readonly places: readonly ListenPlace[]
  readonly guard: WebGuard
  readonly phoneNumbers: PhoneNumbers | undefined
  readonly reloading: Reloading<LoadedApi>
  /** How long runs of webhooks may continue at the end. */
  readonly graceMs: () => number
  /** For the page of operators. */
  readonly findProblems: () => Promise<readonly string[]>
}

/** The services the file configures; no other is loaded. A reload cannot add or remove one. */
async function servicesOf(
  { file, config, alerts, auth }: LoadedApi,
  { places, guard, phoneNumbers, reloading, graceMs, findProblems }: Surroundings,
): Promise<readonly PreparedService[]> {
  const services: PreparedService[] = []
  let runs: WebhookRuns | undefined
  if (config.alerts !== undefined && alerts !== undefined) {
    const url = machineUrl(places, guard.tls !== undefined)
    const cluster = peerOf(config.alerts.cluster, places)
    const { prepareAlerts } = await import('../services/alerts.ts')
    services.push(
      prepareAlerts({
        config: alerts,
        settings: {
          ...alertsSettings(config.alerts, url, file.directory),
          cluster,
          findProblems,
          ...(servesWebhooks(config) && { webhookRuns: lateRuns(() => runs) }),
        },
        reload: async () => (await reloading.read()).alerts ?? alerts,
      }),
    )
  }
  if (auth !== undefined) {
    const { prepareAuth } = await import('../services/auth.ts')
    // It comes with a library of its own.
    const oidc = auth.oidc && (await import('@gatehouse/oidc'))
    if (oidc !== undefined && auth.takesOrigin && firstAddress(places)?.port === 0) {
      const missing =
        'needs http.public_origin in the document, or a port: apps must know the issuer'
      throw new Refused([`${file.filename}: auth.oidc: ${missing}`])
    }
    services.push(
      prepareAuth({
        loaded: auth,
        createOidcProvider: oidc?.createOidcProvider,
        reload: async () => (await reloading.read()).auth ?? auth,
        places,
        isSecure: guard.tls !== undefined,
        hasConsole: config.console && (alerts !== undefined || servesWebhooks(config)),
        phoneNumbers,
      }),
    )
  }
  if (servesWebhooks(config)) {
    const { webhooks } = config
    const { prepareWebhooks } = await import('../services/webhooks.ts')
    const { createWebhookRuns } = await import('@gatehouse/core/webhook')
    services.push(
      prepareWebhooks({
        config: webhooks,
        reload: async () => (await reloading.read()).config.webhooks,
        sharesMetrics: webhooks.metrics,
        graceMs,
        onCreated(webhooks) {
          runs = createWebhookRuns(webhooks)
        },
      }),
    )
  }
  return services
}

/** The webhook service is created after the alert service. */
const lateRuns = (runs: () => WebhookRuns | undefined): WebhookRuns => ({
  problemOf: (webhook) => runs()?.problemOf(webhook),
  async run(request) {
    const created = runs()
    if (created === undefined) throw new Error('the webhooks are not there yet')
    return created.run(request)
  },
})

/** The webhook service logs the other warnings. */
async function warnOfCommands(loaded: LoadedApi, logger: Logger): Promise<void> {
  for (const { text } of await commandWarnings(loaded)) logger.warn({}, text)
}
