import { lookup as lookupInSystem } from 'node:dns'
import { type IncomingMessage, request as sendPlain } from 'node:http'
import { request as sendSecure } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { ForbiddenAddressError, hostOf, type Transport, type WireAnswer } from './transport.ts'

/** Options of {@link createNodeTransport}. */
export interface NodeTransportOptions {
  /** Whether an IP address may be connected to. */
  readonly isAllowed: (address: string) => boolean
  /** Finds the addresses of a host (default: what the machine uses). */
  readonly lookup?: LookupFunction
}

/**
 * Connects to those addresses alone that were looked up and found to be allowed, so that a name cannot be pointed to another one
 * between the look-up and the connection. Every request has a connection of its own: one that the other side has closed
 * meanwhile would lose a code.
 */
export function createNodeTransport(options: NodeTransportOptions): Transport {
  const { isAllowed } = options
  const lookup = checkedLookup(options.lookup ?? lookupInSystem, isAllowed)
  return ({ method, url, headers, body }, signal) =>
    new Promise((resolve, reject) => {
      const host = hostOf(url)
      // An address is not looked up.
      if (isIP(host) !== 0 && !isAllowed(host)) return reject(new ForbiddenAddressError())
      const send = url.protocol === 'https:' ? sendSecure : sendPlain
      const request = send(url, { method, headers, signal, lookup, agent: false }, (message) =>
        resolve(answerOf(message)),
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

function answerOf(message: IncomingMessage): WireAnswer {
  return {
    status: message.statusCode ?? 0,
    location: message.headers.location,
    body: message,
    discard: () => void message.destroy(),
  }
}
