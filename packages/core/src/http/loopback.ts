import { plainAddress } from './ip-address.ts'
import { parseUrl } from './parse-url.ts'
import type { RequestInfo, RouteRequest } from './route.ts'

/** Whether the host of a URL, as `URL.hostname` spells it, is this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}

/** Whether the value of a `Host` header is this machine, with or without a port. */
function isLoopbackAuthority(authority: string): boolean {
  return isLoopbackHost(parseUrl(`http://${authority.trim()}`)?.hostname ?? '')
}

function isLoopbackAddress(address: string): boolean {
  return /^(?:127(?:\.\d{1,3}){3}|::1)$/.test(plainAddress(address.trim()))
}

/**
 * Whether a request was sent on this machine to this machine, as far as it says: each name and each address in it is of the
 * loopback interface. The name alone would not do, because many proxies put their own in its place.
 */
export function isWithinThisMachine(
  { url, headers }: Pick<RouteRequest, 'url' | 'headers'>,
  { peer }: Pick<RequestInfo, 'peer'>,
): boolean {
  if (headers.has('forwarded')) return false
  const listOf = (name: string): readonly string[] => headers.get(name)?.split(',') ?? []
  const hosts = [parseUrl(url)?.host ?? '', ...listOf('host'), ...listOf('x-forwarded-host')]
  const senders = [...(peer === undefined ? [] : [peer.address]), ...listOf('x-forwarded-for')]
  return hosts.every(isLoopbackAuthority) && senders.every(isLoopbackAddress)
}

/** A warning that is due at the first request of another machine; `undefined` once it was given, or if none is due. */
export interface Exposure {
  warn: (() => void) | undefined
}

/** Gives the warning at the first request whose client is known to be another machine. */
export function noticeClient(exposure: Exposure, { peer }: Pick<RequestInfo, 'peer'>): void {
  const { warn } = exposure
  if (warn === undefined || peer === undefined || isLoopbackAddress(peer.address)) return
  exposure.warn = undefined
  warn()
}
