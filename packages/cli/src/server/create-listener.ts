import type { RequestListener } from 'node:http'
import { nodeAdapter } from '@gatehouse/adapter-node'
import type { Route } from '@gatehouse/core'

/** The characters of a host and a port. @see RFC 3986, section 3.2 */
const hostPattern = /^[\w.~!$&'()*+,;=%:[\]-]*$/

/** Options of {@link createListener}. */
export interface ListenerOptions {
  /** The proxies in front, as addresses and prefixes (default: none is trusted). */
  readonly trustedProxies?: readonly string[]
  /** Called when a route or its stream fails (default: ignored). */
  readonly onError?: (error: unknown) => void
}

/**
 * A request listener for a Node server that serves the routes. A request whose URL cannot be read, as `OPTIONS *` or one with
 * `Host: a b`, is answered 400. If a route or its stream fails, the client gets 500, or is disconnected if its response has begun.
 */
export function createListener(
  routes: readonly Route[],
  { trustedProxies = [], onError }: ListenerOptions = {},
): RequestListener {
  const serve = nodeAdapter(routes, {
    trustedProxies,
    compress: true,
    ...(onError === undefined ? {} : { onError }),
    otherwise: (incoming, outgoing) =>
      outgoing.writeHead(incoming.url?.startsWith('/') ? 404 : 400, { 'content-length': 0 }).end(),
  })
  return (incoming, outgoing) => {
    if (hostPattern.test(incoming.headers.host ?? '')) serve(incoming, outgoing)
    else outgoing.writeHead(400, { 'content-length': 0 }).end()
  }
}
