import type { Server, ServerOptions } from 'node:http'

/** Timeouts for slow clients, in ms. */
export interface HttpLimits {
  /** For the headers of a request. */
  readonly headerTimeout: number
  /** For a whole request. */
  readonly requestTimeout: number
  /** Between two requests of a connection. */
  readonly keepaliveTimeout: number
  /** For each listening place. Further connections are closed at once. */
  readonly maxConnections: number | undefined
}

/** The default limits. Idle connections stay longer than the minute in which Prometheus resends its alerts. */
export const patientLimits: HttpLimits = {
  headerTimeout: 30_000,
  requestTimeout: 120_000,
  keepaliveTimeout: 180_000,
  maxConnections: undefined,
}

/** The options of a new server: the limits and the maximum size of headers. */
export function serverOptionsOf(limits: HttpLimits): ServerOptions {
  const { headersTimeout, requestTimeout, keepAliveTimeout } = timeoutsOf(limits)
  // Node checks its connections only at this interval, which cannot be changed later.
  const connectionsCheckingInterval = Math.min(5_000, Math.max(100, Math.ceil(headersTimeout / 4)))
  return {
    headersTimeout,
    requestTimeout,
    keepAliveTimeout,
    connectionsCheckingInterval,
    maxHeaderSize: 256 * 1024,
  }
}

/** Applies the limits to a server, which may be running. */
export function applyLimits(server: Server, limits: HttpLimits): void {
  Object.assign(server, timeoutsOf(limits))
  server.maxConnections = limits.maxConnections ?? Number.POSITIVE_INFINITY
}

/** In Node's names. Node refuses a header timeout above the request timeout. */
function timeoutsOf({ headerTimeout, requestTimeout, keepaliveTimeout }: HttpLimits) {
  return {
    headersTimeout: Math.min(headerTimeout, requestTimeout),
    requestTimeout,
    keepAliveTimeout: keepaliveTimeout,
  }
}
