import { unlinkSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createSecureServer, type ServerOptions as TlsOptions } from 'node:https'
import type { Route } from '@gatehouse/core'
import { createListener } from './server/create-listener.ts'
import {
  applyLimits,
  type HttpLimits,
  patientLimits,
  serverOptionsOf,
} from './server/http-limits.ts'
import {
  formatListenPlace,
  isAddress,
  isSocketFile,
  type ListenPlace,
} from './server/listen-address.ts'
import { handleSlowClients } from './server/slow-clients.ts'
import { clearSocketFile, socketMode } from './server/socket-file.ts'

/** Options of {@link listen}. */
export interface ListenOptions {
  routes: readonly Route[]
  /** Where to listen. Each place gets its own server. */
  places: readonly ListenPlace[]
  /** TLS settings (default: plain HTTP). */
  tls?: TlsOptions
  /** Default {@link patientLimits}. */
  limits?: HttpLimits
  /** The proxies in front, as addresses and prefixes (default: none is trusted). */
  trustedProxies?: readonly string[]
  /** Whether to remove socket files that earlier servers left behind (default true). */
  clearsSocketFiles?: boolean
  /** Called when a route fails. The client gets 500, or is cut off if its response has begun (default: ignored). */
  onError?: (error: unknown) => void
  /** Called with each server before it listens. */
  prepare?: (server: Server) => void
}

/** Servers that listen. */
export interface Listening {
  /** The places in use, with the ports the machine chose. */
  readonly places: readonly ListenPlace[]
  readonly servers: readonly Server[]
  /** Applies other limits to the servers. */
  limit(limits: HttpLimits): void
  /** Accepts no new connections. Requests in flight continue. */
  refuse(): void
  /**
   * Accepts nothing new, waits at most `graceMs` milliseconds for requests in flight, then drops the rest.
   *
   * @returns whether everything was answered.
   */
  stop(graceMs: number): Promise<boolean>
  /** Removes socket files, for a program that exits without stopping the servers. */
  abandon(): void
}

/**
 * Serves HTTP at every place.
 *
 * @throws {Error} with a message for the person who started the program. Then nothing listens.
 */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { routes, places, prepare, clearsSocketFiles = true } = options
  const servers: Server[] = []
  const sockets = await openSockets(options)
  const listener = createListener(routes, options)
  try {
    for (const place of places) {
      const server = newServer(listener, options)
      sockets?.serve(server)
      prepare?.(server)
      await bind(server, place, clearsSocketFiles)
      servers.push(server)
    }
  } catch (error) {
    for (const server of servers) server.close()
    throw error
  }
  return listeningOf(servers, places, sockets)
}

interface WebSockets {
  /** Opens WebSockets for a server. */
  serve(server: Server): void
  /** Terminates all open sockets at once. */
  terminate(): void
}

/** `undefined` if no route opens sockets; then the library is not loaded either. */
async function openSockets(options: ListenOptions): Promise<WebSockets | undefined> {
  if (!options.routes.some((route) => route.connect !== undefined)) return undefined
  const { createSocketServer, serveUpgrades } = await import('./server/web-sockets.ts')
  const sockets = createSocketServer()
  return {
    serve: (server) => serveUpgrades(server, sockets, options),
    terminate: () => sockets.terminate(),
  }
}

function newServer(
  listener: RequestListener,
  { tls, limits = patientLimits }: ListenOptions,
): Server {
  const serverOptions = serverOptionsOf(limits)
  const server =
    tls === undefined
      ? createServer(serverOptions, listener)
      : createSecureServer({ ...serverOptions, ...tls }, listener)
  applyLimits(server, limits)
  continueWhenRead(server)
  handleSlowClients(server)
  return server
}

/**
 * Answers `Expect: 100-continue` when the body is first read. A request refused by its headers gets its refusal at once, and its
 * client need not send the body.
 *
 * @see RFC 9110, section 10.1.1
 */
function continueWhenRead(server: Server): void {
  server.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    incoming.once('resume', () => {
      // Node reads the rest of a request after its response.
      if (!outgoing.headersSent) outgoing.writeContinue()
    })
    server.emit('request', incoming, outgoing)
  })
}

async function bind(server: Server, place: ListenPlace, clearsFiles: boolean): Promise<void> {
  try {
    if (clearsFiles && isSocketFile(place)) await clearSocketFile(place.path)
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(place, () => {
        server.off('error', reject)
        resolve()
      })
    })
    if (isSocketFile(place)) await chmod(place.path, socketMode)
  } catch (error) {
    server.close()
    throw new Error(`cannot listen on ${formatListenPlace(place)}: ${reasonOf(error)}`)
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return 'the address is already in use'
  if (code === 'EACCES') return 'permission denied'
  if (code === 'EADDRNOTAVAIL') return 'the address does not belong to this machine'
  if (code === 'ENOTFOUND') return 'no such host'
  if (code === 'ENOTSOCK') return 'it is not a socket'
  return error instanceof Error ? error.message : String(error)
}

function placeOf(server: Server, asked: ListenPlace | undefined): ListenPlace {
  if (asked !== undefined && !isAddress(asked)) return asked
  const bound = server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0
  return asked?.host === undefined ? { port } : { host: asked.host, port }
}

function listeningOf(
  servers: readonly Server[],
  asked: readonly ListenPlace[],
  sockets: WebSockets | undefined,
): Listening {
  let closed: Promise<unknown> | undefined
  const refuse = (): Promise<unknown> => {
    closed ??= closeAll(servers)
    return closed
  }
  return {
    servers,
    places: servers.map((server, i) => placeOf(server, asked[i])),
    limit(limits) {
      for (const server of servers) applyLimits(server, limits)
    },
    refuse: () => void refuse(),
    async stop(graceMs) {
      const closed = refuse()
      const isAnswered = await settlesWithin(graceMs, closed)
      if (!isAnswered) {
        for (const server of servers) server.closeAllConnections()
        sockets?.terminate()
      }
      await closed
      return isAnswered
    },
    abandon() {
      for (const path of asked.filter(isSocketFile).map((place) => place.path)) {
        try {
          unlinkSync(path)
        } catch {
          // It is gone already.
        }
      }
    },
  }
}

async function closeAll(servers: readonly Server[]): Promise<void> {
  // A connection that was busy at the close stays open after its response, so it is closed here.
  const sweep = setInterval(() => {
    for (const server of servers) server.closeIdleConnections()
  }, 20)
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))))
  clearInterval(sweep)
}

/** Whether `settled` settles in time. */
async function settlesWithin(graceMs: number, settled: Promise<unknown>): Promise<boolean> {
  let deadline: NodeJS.Timeout | undefined
  const tooLate = new Promise<boolean>((resolve) => {
    deadline = setTimeout(() => resolve(false), graceMs)
  })
  const isSettled = await Promise.race([settled.then(() => true), tooLate])
  clearTimeout(deadline)
  return isSettled
}
