import { consoleRoutes } from '@gatehouse/console'
import type { Logger, MetricsRegistry, Route, Storage } from '@gatehouse/core'
import { guardHosts, openApiRoutes, textAnswer } from '@gatehouse/core/adapter'
import type { StorageHealth } from '@gatehouse/core/store'
import { type Listening, listen } from './listen.ts'
import { writeErrorLine } from './log/line-writer.ts'
import type { LogSettings } from './log/logger.ts'
import { healthRoutes } from './server/health-routes.ts'
import type { HttpLimits } from './server/http-limits.ts'
import { isLoopbackOnly, type ListenPlace, placeUrl } from './server/listen-address.ts'
import { homeRoute, ownRoutes } from './server/own-routes.ts'
import type { WebGuard } from './server/web-guard.ts'
import type { Service } from './service.ts'
import { runUntilSignal, type Stoppable, stopInOrder } from './shutdown.ts'
import { packageVersion as version } from './version.ts'
import type { Worker } from './workers/worker.ts'

/** Options of {@link serve}. */
export interface ServeOptions {
  readonly services: readonly Service[]
  readonly storage: Storage
  /** Stopped last: it sends the last spans of the services, and a collector may be slow. */
  readonly tracing?: Stoppable | undefined
  /** Also serves health probes (default: no). */
  readonly health?: StorageHealth
  /** For the log. */
  readonly storageName: string
  readonly places: readonly ListenPlace[]
  /** Host names that a server at loopback addresses accepts besides those of this machine; `*` accepts all. */
  readonly hosts: readonly string[]
  /** The proxies in front, as addresses and prefixes (default: none is trusted). */
  readonly trustedProxies?: readonly string[]
  readonly logger: Logger
  /** Served at `GET /metrics` unless a service has that route (default: not served). */
  readonly metrics?: MetricsRegistry
  /** Whether to serve the console, if there is a service that it shows (default: no). */
  readonly console?: boolean
  /** The label by which the console colors alerts. */
  readonly severityLabel: string
  /** Checks every request before it reaches a route. */
  readonly guard: WebGuard
  /** Default {@link patientLimits}. */
  readonly limits?: HttpLimits
  /** Reloads everything; logs its own failures. */
  readonly reload: () => Promise<void>
  /** Whether a plain line announces the listening address (default: the log does). */
  readonly readyLine?: boolean
  /** This process as one of several that serve at these places, and how it logs (default: the only one). */
  readonly worker?: Pick<Worker, 'isFirst' | 'signals' | 'ready'> & { readonly log: LogSettings }
  /** Called once it listens. The parts it returns are stopped before everything else. */
  readonly onListening?: (listening: Listening) => readonly Stoppable[]
}

/** How long requests in flight may take when the program stops. */
const graceMs = 10_000

/**
 * Serves the services until a signal ends the program, then stops everything in order and closes the storage.
 *
 * @returns the exit code.
 * @throws {Error} if it cannot listen at a place; the storage is closed then.
 */
export async function serve(options: ServeOptions): Promise<number> {
  const { services, storage, tracing, logger, reload, worker, onListening = () => [] } = options
  const closeStorage: Stoppable = { name: 'storage', stop: () => storage.close() }
  let listening: Listening
  try {
    listening = await listenFor(options)
  } catch (error) {
    await stopInOrder([closeStorage], logger)
    throw error
  }
  const { places } = listening
  const running = services.map((service) => ({ name: service.name, ...service.start(places) }))
  const exitCode = runUntilSignal({
    logger,
    parts: [
      ...onListening(listening),
      { name: 'http', stop: () => stopAnswering(listening, options) },
      ...running,
      closeStorage,
      ...(tracing === undefined ? [] : [tracing]),
    ],
    reload,
    ...(worker === undefined ? {} : { signals: worker.signals }),
    abort: async () => {
      listening.abandon()
      await Promise.all(services.map((service) => service.abort?.()))
    },
  })
  // A reader of this line may send signals, so their handlers must be set first.
  announce(options, listening)
  return exitCode
}

function listenFor({
  services,
  health,
  places,
  hosts,
  guard,
  limits,
  logger,
  metrics,
  worker,
  trustedProxies = [],
  console = false,
  severityLabel,
}: ServeOptions): Promise<Listening> {
  const own = services.flatMap((service) => service.routes)
  const routes = withoutTaken([
    ...own,
    ...openApiRoutes(services, { routes: own }),
    ...(health === undefined ? [] : healthRoutes(health)),
    ...(console ? consoleOf(services, severityLabel, guard.asksForPasswords) : []),
    ...ownRoutes({ services, metrics, authorize: guard.authorize }),
    ...services.flatMap((service) => service.fallbackRoutes ?? []),
    homeRoute,
    notFound,
  ])
  const guarded = guard.protect(routes)
  return listen({
    places,
    routes: isLoopbackOnly(places) ? guardHosts(guarded, hosts, warnOfHosts(logger)) : guarded,
    ...(guard.tls === undefined ? {} : { tls: guard.tls }),
    ...(limits === undefined ? {} : { limits }),
    trustedProxies,
    clearsSocketFiles: worker?.isFirst ?? true,
    prepare: (server) => guard.prepare(server),
    onError: (error) => logger.error({ err: error }, 'a request failed'),
  })
}

/** The console, where the alert service has its pages: as in Alertmanager, `/` or the route prefix. */
function consoleOf(
  services: readonly Service[],
  severityLabel: string,
  serverPasswords: boolean,
): readonly Route[] {
  const find = (name: string): Service | undefined => services.find((one) => one.name === name)
  const [alerts, webhooks, auth] = [find('alerts'), find('webhooks'), find('auth')]
  if (alerts === undefined && webhooks === undefined) return []
  const { basePath = '' } = alerts ?? {}
  const upwards = '../'.repeat(basePath.split('/').length - 1)
  const pathOf = (name: string, service: Service | undefined): Readonly<Record<string, string>> =>
    service === undefined
      ? {}
      : { [name]: `${upwards || './'}${service.openApi.basePath().slice(1)}` }
  const paths = { ...pathOf('webhooks', webhooks), ...pathOf('auth', auth) }
  return consoleRoutes({ alerts, webhooks, auth, basePath, paths, severityLabel, serverPasswords })
}

/** Answers unknown paths if no service does, behind the same guard as every route. */
const notFound: Route = {
  method: '*',
  path: '/*',
  answer: async () =>
    textAnswer(404, '404 Not Found', { 'content-type': 'text/plain; charset=utf-8' }),
}

/** If two services have the same route, such as `/metrics` or a wildcard, the first keeps it. */
function withoutTaken(routes: readonly Route[]): readonly Route[] {
  const taken = new Map<string, Route>()
  for (const route of routes) {
    const row = `${route.method} ${route.path}`
    if (route.serves === undefined && !taken.has(row)) taken.set(row, route)
  }
  return [...taken.values(), ...routes.filter(({ serves }) => serves !== undefined)]
}

function announce(options: ServeOptions, { places }: Listening): void {
  const { services, storageName: storage, logger, guard, worker, readyLine = false } = options
  const addresses = places.map((place) => placeUrl(place, guard.tls !== undefined))
  for (const address of addresses) {
    for (const { name, summary } of services) {
      logger.info({ service: name, address, storage, ...summary, version }, 'listening')
    }
    if (readyLine && worker === undefined) writeErrorLine(`listening on ${address}\n`)
  }
  worker?.ready({ addresses: readyLine ? addresses : [], log: worker.log })
}

/** Answers requests in flight: the services finish theirs first, then the rest gets its time. */
async function stopAnswering(
  listening: Listening,
  { services, logger }: ServeOptions,
): Promise<void> {
  listening.refuse()
  const drains = services.map(({ name, drain }): Stoppable => {
    return { name, stop: async () => drain?.() }
  })
  const areDrained = await Promise.all(drains.map((drain) => stopInOrder([drain], logger)))
  if (!(await listening.stop(graceMs))) {
    const fields = { graceSeconds: graceMs / 1_000 }
    logger.warn(fields, 'dropped requests that were still in flight')
  }
  if (areDrained.includes(false)) throw new Error('a service did not stop cleanly')
}

/** The most hosts to warn of, because clients choose their names. */
const maxHosts = 20

/** Warns of each refused host once. */
function warnOfHosts(logger: Logger): (host: string) => void {
  const seen = new Set<string>()
  return (host) => {
    if (seen.has(host) || seen.size >= maxHosts) return
    seen.add(host)
    logger.warn(
      { host, status: 421 },
      `requests for this host are refused; behind a proxy that keeps Host, set allowed_hosts: [${JSON.stringify(host)}]`,
    )
  }
}
