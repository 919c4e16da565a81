import type { IncomingMessage } from 'node:http'
import { parseUrl } from '@gatehouse/core/adapter'

/** Where a request goes. */
export interface RequestTarget {
  /** Path and query below the root of the server. */
  readonly full: string
  readonly mountPath: string
  /** The path below the mount, not decoded. */
  readonly path: string
  readonly query: string
}

const plainTarget = /^\/[!$&-;=?-[\]_a-z~]*$/

/** The scheme and host of a request, for URLs. */
function originOf(incoming: IncomingMessage, secure: boolean): string {
  const scheme = secure ? 'https' : 'http'
  const named = `${scheme}://${incoming.headers.host ?? 'localhost'}`
  return parseUrl(named) ? named : `${scheme}://localhost`
}

/** A target in origin form without dot segments and characters that a URL must escape. */
function normalize(target: string): string | undefined {
  // A segment `.` or `..` begins with a dot.
  if (!target.includes('/.') && plainTarget.test(target)) return target
  const url = parseUrl(target.startsWith('/') ? `http://localhost${target}` : target)
  return url && `${url.pathname}${url.search}`
}

/** Where a request goes, from the target it was sent with; `undefined` if that is no path below the mount, as in `OPTIONS *`. */
export function createRequestTarget(target: string, mountPath = ''): RequestTarget | undefined {
  const full = normalize(target)
  if (full === undefined || !full.startsWith('/')) return undefined
  const mark = full.indexOf('?')
  const fullPath = mark < 0 ? full : full.slice(0, mark)
  if (!`${fullPath}/`.startsWith(`${mountPath}/`)) return undefined
  const path = fullPath.slice(mountPath.length) || '/'
  return { full, mountPath, path, query: mark < 0 ? '' : full.slice(mark + 1) }
}

/** The whole URL of a request. */
export const urlOf = (
  incoming: IncomingMessage,
  { full }: RequestTarget,
  secure: boolean,
): string => `${originOf(incoming, secure)}${full}`
