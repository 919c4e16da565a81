import { type Answer, emptyAnswer } from '../../http/answer.ts'
import { parseUrl } from '../../http/parse-url.ts'
import type { RouteRequest } from '../../http/route.ts'
import type { LoadedAuthConfig } from '../config/config.ts'
import { isOriginOf } from '../config/http.ts'

/** How long browsers may cache a preflight answer, in seconds. */
const preflightAge = 600

/**
 * Whether pages of an origin may use the service: its own pages, those of its clients, and those that the configuration allows.
 */
export function isOriginAllowed({ http, oauth }: LoadedAuthConfig, origin: string): boolean {
  const clients = oauth.clients.flatMap(({ redirect_uris: uris }) => uris.map(originOf))
  return (
    [http.public_origin, ...clients].includes(origin) ||
    http.allowed_origins.some((text) => isOriginOf(text, origin))
  )
}

/** The custom scheme of an app is not a web origin. */
function originOf(uri: string): string | undefined {
  return /^https?:/i.test(uri) ? parseUrl(uri)?.origin : undefined
}

/** The headers that let a page of an allowed origin read an answer; none for other pages. */
export function corsHeaders(
  { headers }: RouteRequest,
  config: LoadedAuthConfig,
): Readonly<Record<string, string>> {
  const origin = headers.get('origin')
  if (origin === null || !isOriginAllowed(config, origin)) return { vary: 'Origin' }
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'Retry-After',
  }
}

/** The answer to a CORS preflight request. @see https://fetch.spec.whatwg.org/#cors-preflight-fetch */
export function preflightAnswer(
  { headers }: RouteRequest,
  config: LoadedAuthConfig,
  method: string = 'POST',
): Answer {
  const origin = headers.get('origin')
  if (origin === null || !isOriginAllowed(config, origin)) return emptyAnswer(204)
  const asked = (headers.get('access-control-request-headers') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name.toLowerCase() !== 'content-type')
  return emptyAnswer(204, {
    vary: 'Origin, Access-Control-Request-Headers',
    'access-control-allow-methods': method,
    'access-control-allow-headers': ['Content-Type', ...asked].join(', '),
    'access-control-max-age': `${preflightAge}`,
  })
}
