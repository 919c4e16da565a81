import { type Answer, emptyAnswer } from '../../../http/answer.ts'
import { foreignOrigin, isReading } from '../../../http/cross-origin.ts'
import type { RouteRequest } from '../../../http/route.ts'
import type { AlertsSettings } from '../../context.ts'

const allowedHeaders: ReadonlySet<string> = new Set([
  'origin',
  'accept',
  'content-type',
  'x-requested-with',
])

type CorsSettings = Pick<AlertsSettings, 'corsMethods' | 'allowedOrigins' | 'externalUrl'>

/** The CORS headers that let pages of another origin read a response. */
export function corsHeaders(
  request: RouteRequest,
  settings: CorsSettings,
): Readonly<Record<string, string>> {
  const readers = readersOf(request.headers.get('origin'), settings)
  return readers === undefined
    ? { vary: 'Origin' }
    : { vary: 'Origin', 'access-control-allow-origin': readers }
}

/** The value of `Access-Control-Allow-Origin` for an origin; `undefined` if its pages may not read. */
function readersOf(
  origin: string | null,
  { allowedOrigins = ['*'] }: CorsSettings,
): string | undefined {
  if (origin === null) return undefined
  if (allowedOrigins.includes('*')) return '*'
  return allowedOrigins.includes(origin) ? origin : undefined
}

/**
 * Why a request of a page of another site that could change something is refused; `undefined` if it is allowed. Browsers send some
 * requests without a preflight, and a server in a private network has no other protection.
 *
 * @param allowed origins whose pages may change something; `*` allows all.
 */
export function foreignPage(
  request: RouteRequest,
  { externalUrl }: CorsSettings,
  allowed: readonly string[],
): string | undefined {
  if (isReading(request.method)) return undefined
  const origin = foreignOrigin(request, externalUrl)
  if (origin === undefined || allowed.includes('*') || allowed.includes(origin)) return undefined
  return `requests from pages of another origin are refused: ${JSON.stringify(origin)} is not an allowed origin`
}

/**
 * The response to a CORS preflight request, or `undefined` for another request. A response that denies has no CORS headers, and
 * the browser refuses the request.
 *
 * @see https://fetch.spec.whatwg.org/#cors-preflight-fetch
 */
export function preflightAnswer(request: RouteRequest, settings: CorsSettings): Answer | undefined {
  const wanted = request.headers.get('access-control-request-method')
  if (request.method !== 'OPTIONS' || wanted === null || !request.headers.has('origin')) {
    return undefined
  }
  const names = (request.headers.get('access-control-request-headers') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const readers = readersOf(request.headers.get('origin'), settings)
  const isAllowed =
    settings.corsMethods.includes(wanted.toUpperCase()) &&
    names.every((name) => allowedHeaders.has(name.toLowerCase()))
  const vary = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers'
  if (!isAllowed || readers === undefined) return emptyAnswer(204, { vary })
  return emptyAnswer(204, {
    vary,
    'access-control-allow-origin': readers,
    'access-control-allow-methods': wanted.toUpperCase(),
    ...(names.length === 0 ? {} : { 'access-control-allow-headers': names.join(', ') }),
  })
}
