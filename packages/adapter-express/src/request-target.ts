import type { IncomingMessage } from 'node:http'
import { parseUrl } from '@gatehouse/core'

/** What Express, its `trust proxy` setting and body parsers add to a request of Node. */
export interface ExpressRequest extends IncomingMessage {
  /** The request's URL before any mount path was taken off. */
  originalUrl?: string
  baseUrl?: string
  ip?: string | undefined
  secure?: boolean
  body?: unknown
  /** Set by programs that keep the bytes beside what a body parser made of them. */
  rawBody?: unknown
}

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

/** What a URL of the server begins with. */
function originOf({ secure, headers }: ExpressRequest): string {
  const scheme = secure === true ? 'https' : 'http'
  const named = `${scheme}://${headers.host ?? 'localhost'}`
  return parseUrl(named) ? named : `${scheme}://localhost`
}

/** A target in origin form without dot segments and characters that a URL must escape. */
function normalize(target: string, request: ExpressRequest): string | undefined {
  // What has no segment that begins with a dot has none that is `.` or `..`.
  if (!target.includes('/.') && plainTarget.test(target)) return target
  const full = target.startsWith('/') ? `${originOf(request)}${target}` : target
  const url = parseUrl(full)
  return url && `${url.pathname}${url.search}`
}

/** Where a request goes; `undefined` if that is no path, as in `OPTIONS *`. */
export function createRequestTarget(request: ExpressRequest): RequestTarget | undefined {
  const full = normalize(request.originalUrl ?? request.url ?? '/', request)
  if (full === undefined || !full.startsWith('/')) return undefined
  const mark = full.indexOf('?')
  const fullPath = mark < 0 ? full : full.slice(0, mark)
  const mountPath = request.baseUrl ?? ''
  return {
    full,
    mountPath,
    path: fullPath.slice(mountPath.length) || '/',
    query: mark < 0 ? '' : full.slice(mark + 1),
  }
}

/** The whole URL of a request. */
export function urlOf(request: ExpressRequest, { full }: RequestTarget): string {
  return `${originOf(request)}${full}`
}
