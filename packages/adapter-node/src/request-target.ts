import type { IncomingMessage } from 'node:http'
import { parseUrl } from '@gatehouse/core/adapter'

/** The target of a request. */
export interface RequestTarget {
  /** Path and query with the mount path. */
  readonly full: string
  readonly mountPath: string
  /** The path below the mount path, not decoded. */
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

/** A target in origin form, without dot segments and with characters escaped as URLs require. */
function normalize(target: string): string | undefined {
  // A segment `.` or `..` begins with a dot.
  if (!target.includes('/.') && plainTarget.test(target)) return target
  const url = parseUrl(target.startsWith('/') ? `http://localhost${target}` : target)
  return url && `${url.pathname}${url.search}`
}

/** Parses the target of a request; `undefined` if it is not a path below the mount path, as in `OPTIONS *`. */
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
