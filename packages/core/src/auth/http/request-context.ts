import { isWithinThisMachine } from '../../http/loopback.ts'
import type { RequestInfo, RouteRequest } from '../../http/route.ts'
import { isPlainLoopback } from '../config/http.ts'
import type { AuthContext } from '../context.ts'
import type { RequestContext } from '../flows/flow-result.ts'

/** Longer user agents are cut to this length. */
const maxUserAgentLength = 500

/** The properties of a request. */
export function requestContext(
  { headers }: RouteRequest,
  { query, peer }: Pick<RequestInfo, 'query' | 'peer'>,
): RequestContext {
  const ip = peer?.address
  const userAgent = headers.get('user-agent')
  const languages = headers.get('accept-language')
  const cookie = headers.get('cookie')
  return {
    query,
    ...(ip === undefined ? {} : { ip }),
    ...(userAgent === null ? {} : { userAgent: userAgent.slice(0, maxUserAgentLength) }),
    ...(languages === null ? {} : { acceptLanguage: languages }),
    ...(cookie === null ? {} : { cookie }),
  }
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
