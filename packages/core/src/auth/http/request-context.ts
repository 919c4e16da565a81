import { plainAddress } from '../../http/ip-address.ts'
import { isWithinThisMachine } from '../../http/loopback.ts'
import type { RequestInfo, RouteRequest } from '../../http/route.ts'
import type { LoadedAuthConfig } from '../config/config.ts'
import { isPlainLoopback } from '../config/http.ts'
import type { AuthContext } from '../context.ts'
import type { RequestContext } from '../flows/flow-result.ts'

/** Longer user agents are cut to this length. */
const longestUserAgent = 500

/** An IP address, with an optional port that some proxies add. */
const forwardedAddress =
  /^(?:\[([\da-f:.%]{2,45})\](?::\d+)?|((?=[^:]*:[^:]*:)[\da-f:.]{2,45})|(\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?)$/i

/** The properties of a request, with proxy headers as far as they are trusted. */
export function requestContext(
  { headers }: RouteRequest,
  { query, peer }: Pick<RequestInfo, 'query' | 'peer'>,
  { http }: LoadedAuthConfig,
): RequestContext {
  const ip = forwardedFor(headers, http.trust_proxy) ?? peer?.address
  const userAgent = headers.get('user-agent')
  const languages = headers.get('accept-language')
  const cookie = headers.get('cookie')
  return {
    query,
    ...(ip === undefined ? {} : { ip }),
    ...(userAgent === null ? {} : { userAgent: userAgent.slice(0, longestUserAgent) }),
    ...(languages === null ? {} : { acceptLanguage: languages }),
    ...(cookie === null ? {} : { cookie }),
  }
}

/**
 * The address of the client of the outermost trusted proxy. Each proxy appends an entry, so they are counted from the right. A
 * header with fewer entries did not pass all proxies and is ignored.
 */
function forwardedFor(headers: RouteRequest['headers'], proxies: number): string | undefined {
  if (proxies === 0) return undefined
  const entry = headers.get('x-forwarded-for')?.split(',').at(-proxies)?.trim() ?? ''
  const [, bracketed, plain, dotted] = forwardedAddress.exec(entry) ?? []
  const address = bracketed ?? plain ?? dotted
  return address === undefined ? undefined : plainAddress(address)
}

/** Whether a request came over TLS to this process, or to the trusted proxy. */
export function isSecure(
  { headers }: RouteRequest,
  { secure }: Pick<RequestInfo, 'secure'>,
  { http }: LoadedAuthConfig,
): boolean {
  if (http.trust_proxy === 0) return secure
  const protocol = forwardedProtocol(headers)
  return protocol === undefined ? secure : protocol === 'https'
}

/**
 * Whether a request without TLS is served because a developer sends it from the machine of the service: the public origin and the
 * request are of this machine, and the program does not run in production.
 */
export function isPlainAllowed(
  { config, isProduction }: Pick<AuthContext, 'config' | 'isProduction'>,
  request: RouteRequest,
  info: Pick<RequestInfo, 'peer'>,
): boolean {
  if (isProduction || !isPlainLoopback(config.current.http.public_origin)) return false
  return isWithinThisMachine(request, info)
}

/** @see RFC 7239, section 5.4 */
function forwardedProtocol(headers: RouteRequest['headers']): string | undefined {
  const plain = headers.get('x-forwarded-proto')?.split(',').at(-1)?.trim().toLowerCase()
  if (plain !== undefined && plain !== '') return plain
  const last = headers.get('forwarded')?.split(',').at(-1) ?? ''
  return /(?:^|;)\s*proto="?([a-z]+)"?\s*(?:;|$)/i.exec(last)?.[1]?.toLowerCase()
}
