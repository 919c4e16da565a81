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
  /** The whole URL. */
  readonly url: string
  readonly mountPath: string
  /** The path below the mount, not decoded. */
  readonly path: string
  readonly query: string
}

const plainTarget = /^\/[!$&-;=?-[\]_a-z~]*$/
const dotSegment = /\/\.\.?(?:[/?]|$)/

/** A target in origin form without dot segments and characters that a URL must escape. */
function normalize(target: string, base: string): string | undefined {
  if (plainTarget.test(target) && !dotSegment.test(target)) return target
  const full = target.startsWith('/') ? `${base}${target}` : target
  const url = parseUrl(full)
  return url && `${url.pathname}${url.search}`
}

/** Where a request goes; `undefined` if that is no path, as in `OPTIONS *`. */
export function createRequestTarget(request: ExpressRequest): RequestTarget | undefined {
  const scheme = request.secure === true ? 'https' : 'http'
  const host = `${scheme}://${request.headers.host ?? 'localhost'}`
  const base = parseUrl(host) ? host : `${scheme}://localhost`
  const target = normalize(request.originalUrl ?? request.url ?? '/', base)
  if (target === undefined || !target.startsWith('/')) return undefined
  const mark = target.indexOf('?')
  const fullPath = mark < 0 ? target : target.slice(0, mark)
  const mountPath = request.baseUrl ?? ''
  return {
    url: `${base}${target}`,
    mountPath,
    path: fullPath.slice(mountPath.length) || '/',
    query: mark < 0 ? '' : target.slice(mark + 1),
  }
}
