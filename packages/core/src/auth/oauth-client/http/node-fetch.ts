import { lookup as lookupInSystem } from 'node:dns'
import { request as sendPlain } from 'node:http'
import { request as sendSecure } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { type Fetch, ForbiddenAddressError, hostOf } from './fetch.ts'

/** Options of {@link createNodeFetch}. */
export interface NodeFetchOptions {
  /** Whether an IP address may be connected to. */
  readonly isAllowed: (address: string) => boolean
  /** Resolves the addresses of a host (default: the resolver of the machine). */
  readonly lookup?: LookupFunction
}

/**
 * A `fetch` that checks the resolved addresses and connects only to those, so that a name cannot be pointed to another address
 * between the look-up and the connection. Every request has its own connection: a code would be lost on a kept-alive connection
 * that the other side has closed meanwhile.
 */
export function createNodeFetch(options: NodeFetchOptions): Fetch {
  const { isAllowed } = options
  const lookup = checkedLookup(options.lookup ?? lookupInSystem, isAllowed)
  return (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const host = hostOf(url)
      // Addresses are not looked up, so check them here.
      if (isIP(host) !== 0 && !isAllowed(host)) return reject(new ForbiddenAddressError())
      const send = url.startsWith('https:') ? sendSecure : sendPlain
      const settings = { method, headers, signal, lookup, agent: false }
      const request = send(url, settings, (message) =>
        resolve({
          status: message.statusCode ?? 0,
          headers: { get: (name) => message.headersDistinct[name]?.[0] ?? null },
          body: ReadableStream.from<Uint8Array>(message),
        }),
      )
      request.on('error', reject)
      request.end(body)
    })
}

function checkedLookup(
  lookup: LookupFunction,
  isAllowed: (address: string) => boolean,
): LookupFunction {
  return (host, options, callback) =>
    lookup(host, { ...options, all: true }, (error, found, family) => {
      if (error !== null) return callback(error, [])
      const all = typeof found === 'string' ? [{ address: found, family: family ?? 0 }] : found
      const [first] = all
      if (first === undefined || !all.every(({ address }) => isAllowed(address))) {
        return callback(new ForbiddenAddressError(), [])
      }
      if (options.all === true) callback(null, all)
      else callback(null, first.address, first.family)
    })
}
