import { honoAdapter } from '@gatehouse/adapter-hono'
import type { Logger, Storage } from '@gatehouse/core'
import { type Listening, listen } from './listen.ts'
import { formatListenAddress, type ListenAddress } from './listen-address.ts'
import type { Service } from './service.ts'
import { runUntilSignal, type Stoppable, stopInOrder } from './shutdown.ts'
import { packageVersion as version } from './version.ts'
import { openGuard, type WebGuard } from './web-guard.ts'

/** Options of {@link serve}. */
export interface ServeOptions {
  readonly services: readonly Service[]
  readonly storage: Storage
  /** For the log. */
  readonly storageName: string
  readonly addresses: readonly ListenAddress[]
  readonly logger: Logger
  /** What stands before every request (default: nothing). */
  readonly guard?: WebGuard
}

/** How long requests in flight may take to end when the program stops. */
const graceMs = 10_000

/**
 * Serves the services until a signal ends the program, then ends everything in order and closes the storage.
 *
 * @returns the exit code.
 * @throws {Error} if an address cannot be listened on; the storage is closed then.
 */
export async function serve(options: ServeOptions): Promise<number> {
  const { services, storage, logger, guard = openGuard } = options
  const closeStorage: Stoppable = { name: 'storage', stop: () => storage.close() }
  let listening: Listening
  try {
    listening = await listenFor(options, guard)
  } catch (error) {
    await stopInOrder([closeStorage], logger)
    throw error
  }
  const running = services.map((service) => ({ name: service.name, ...service.start() }))
  const exitCode = runUntilSignal({
    logger,
    parts: [
      { name: 'http', stop: () => stopListening(listening, logger) },
      ...running,
      closeStorage,
    ],
    reload: async () => {
      await guard.reload(logger)
      for (const service of services) await service.reload()
    },
  })
  // Whoever reads this line may send signals, so it comes when they are heard.
  logStart(options, listening, guard)
  return exitCode
}

function listenFor(options: ServeOptions, guard: WebGuard): Promise<Listening> {
  const { services, addresses } = options
  const app = honoAdapter([
    ...services.flatMap((service) => service.routes),
    ...services.flatMap((service) => service.fallbackRoutes ?? []),
  ])
  return listen({
    addresses,
    fetch: guard.protect((request, env) => app.fetch(request, env as object)),
    ...(guard.tls === undefined ? {} : { tls: guard.tls }),
    prepare: (server) => guard.prepare(server),
  })
}

function logStart(options: ServeOptions, listening: Listening, guard: WebGuard): void {
  const { services, storageName: storage, logger } = options
  for (const address of listening.addresses) {
    const url = `${guard.tls === undefined ? 'http' : 'https'}://${formatListenAddress(address)}`
    for (const { name, summary } of services) {
      logger.info({ service: name, address: url, storage, ...summary, version }, 'listening')
    }
  }
}

async function stopListening(listening: Listening, logger: Logger): Promise<void> {
  if (await listening.stop(graceMs)) return
  logger.warn(
    { graceSeconds: graceMs / 1_000 },
    'requests were still in flight and have been dropped',
  )
}
