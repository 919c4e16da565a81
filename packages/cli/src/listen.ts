import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { createServer as createSecureServer, type ServerOptions as TlsOptions } from 'node:https'
import { getRequestListener } from '@hono/node-server'
import { formatListenAddress, type ListenAddress } from './listen-address.ts'

/** Answers a request; `env` holds Node's own request and response. */
export type FetchHandler = (request: Request, env: unknown) => Response | Promise<Response>

/** Options of {@link listen}. */
export interface ListenOptions {
  fetch: FetchHandler
  /** Where to listen; each address gets a server of its own. */
  addresses: readonly ListenAddress[]
  /** Serves TLS with these settings (default: plain HTTP). */
  tls?: TlsOptions
  /** Called with each server before it listens. */
  prepare?: (server: Server) => void
}

/** Servers that listen. */
export interface Listening {
  /** The addresses in use, with the ports the machine chose. */
  readonly addresses: readonly ListenAddress[]
  readonly servers: readonly Server[]
  /**
   * Accepts nothing new, waits until what is in flight is answered, at most `graceMs` milliseconds, and then
   * drops what is left.
   *
   * @returns whether everything was answered.
   */
  stop(graceMs: number): Promise<boolean>
}

/**
 * How long a client may take, so that a slow one cannot hold the process for ever. Connections that wait for
 * their next request stay longer than the minute in which Prometheus sends its alerts again.
 */
const limits: ServerOptions = {
  headersTimeout: 30_000,
  requestTimeout: 120_000,
  keepAliveTimeout: 180_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 256 * 1024,
}
/** How long a connection may stand still while a request or its answer is under way. */
const stalledMs = 300_000

/**
 * Serves HTTP on every address.
 *
 * @throws {Error} with a message for the person who started the program; nothing listens then.
 */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { fetch, addresses, tls, prepare } = options
  // This program owns its process, so the listener may put its own Request and Response in place: they skip
  // web streams where a body is text or bytes, which halves the cost of a small answer.
  const listener = getRequestListener((request, env) => fetch(request, env), {
    // For clients of HTTP/1.0 that name no host, as the checks of some load balancers.
    hostname: 'localhost',
  })
  const servers: Server[] = []
  try {
    for (const address of addresses) {
      const server = newServer(listener, tls)
      server.setTimeout(stalledMs)
      prepare?.(server)
      await bind(server, address)
      servers.push(server)
    }
  } catch (error) {
    for (const server of servers) server.close()
    throw error
  }
  return {
    servers,
    addresses: servers.map((server, i) => addressOf(server, addresses[i])),
    stop: (graceMs) => stopAll(servers, graceMs),
  }
}

function newServer(listener: RequestListener, tls: TlsOptions | undefined): Server {
  if (tls === undefined) return createServer(limits, listener)
  return createSecureServer({ ...limits, ...tls }, listener)
}

function bind(server: Server, address: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException): void => {
      reject(new Error(`cannot listen on ${formatListenAddress(address)}: ${reasonOf(error)}`))
    }
    server.once('error', refuse)
    server.listen(address, () => {
      server.off('error', refuse)
      resolve()
    })
  })
}

function reasonOf(error: NodeJS.ErrnoException): string {
  if (error.code === 'EADDRINUSE') return 'the address is already in use'
  if (error.code === 'EACCES') return 'permission denied'
  if (error.code === 'EADDRNOTAVAIL') return 'the address is not one of this machine'
  if (error.code === 'ENOTFOUND') return 'no such host'
  return error.message
}

function addressOf(server: Server, asked: ListenAddress | undefined): ListenAddress {
  const bound = server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0
  return asked?.host === undefined ? { port } : { host: asked.host, port }
}

async function stopAll(servers: readonly Server[], graceMs: number): Promise<boolean> {
  const closed = Promise.all(servers.map((server) => new Promise((done) => server.close(done))))
  // A connection that was busy when close() was called stays open after its answer; it is closed here.
  const sweep = setInterval(() => {
    for (const server of servers) server.closeIdleConnections()
  }, 20)
  let deadline: NodeJS.Timeout | undefined
  const tooLate = new Promise<boolean>((resolve) => {
    deadline = setTimeout(() => resolve(false), graceMs)
  })
  const answered = await Promise.race([closed.then(() => true), tooLate])
  clearTimeout(deadline)
  if (!answered) for (const server of servers) server.closeAllConnections()
  await closed
  clearInterval(sweep)
  return answered
}
