import type { Server, ServerOptions } from 'node:http'

/** How long a client may take, so that a slow one cannot hold the process for ever. Lengths are in ms. */
export interface HttpLimits {
  /** For the headers of a request. */
  readonly headerTimeout: number
  /** For a whole request. */
  readonly requestTimeout: number
  /** Between two requests of a connection. */
  readonly keepaliveTimeout: number
  /** Of each place that is listened at; those above it are closed at once. */
  readonly maxConnections: number | undefined
}

/**
 * For a server that says nothing else. Connections that wait for their next request stay longer than the minute in which
 * Prometheus sends its alerts again.
 */
export const patientLimits: HttpLimits = {
  headerTimeout: 30_000,
  requestTimeout: 120_000,
  keepaliveTimeout: 180_000,
  maxConnections: undefined,
}

/** The limits for a new server, and how much a header may hold. */
export function serverOptionsOf(limits: HttpLimits): ServerOptions {
  const { headersTimeout, requestTimeout, keepAliveTimeout } = timeoutsOf(limits)
  // Node looks at its connections from time to time only, and this cannot be changed afterwards.
  const connectionsCheckingInterval = Math.min(5_000, Math.max(100, Math.ceil(headersTimeout / 4)))
  return {
    headersTimeout,
    requestTimeout,
    keepAliveTimeout,
    connectionsCheckingInterval,
    maxHeaderSize: 256 * 1024,
  }
}

/** Makes a server that may be running follow the limits. */
export function applyLimits(server: Server, limits: HttpLimits): void {
  Object.assign(server, timeoutsOf(limits))
  server.maxConnections = limits.maxConnections ?? Number.POSITIVE_INFINITY
}

/** In Node's words; it takes no header timeout above that of the request. */
function timeoutsOf({ headerTimeout, requestTimeout, keepaliveTimeout }: HttpLimits) {
  return {
    headersTimeout: Math.min(headerTimeout, requestTimeout),
    requestTimeout,
    keepAliveTimeout: keepaliveTimeout,
  }
}
