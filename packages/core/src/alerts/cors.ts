import { type Answer, emptyAnswer } from '../http/answer.ts'
import type { RouteRequest } from '../http/route.ts'

const allowedHeaders: ReadonlySet<string> = new Set([
  'origin',
  'accept',
  'content-type',
  'x-requested-with',
])

/** Headers that tell a browser of any origin that it may read an answer. */
export function corsHeaders(request: RouteRequest): Readonly<Record<string, string>> {
  return request.headers.has('origin')
    ? { vary: 'Origin', 'access-control-allow-origin': '*' }
    : { vary: 'Origin' }
}

/**
 * The answer to a browser that asks whether it may send a request, or `undefined` if it does not ask. What is
 * not allowed is answered without a word about it, and the browser refuses.
 *
 * @see https://fetch.spec.whatwg.org/#cors-preflight-fetch
 */
export function preflightAnswer(
  request: RouteRequest,
  methods: readonly string[],
): Answer | undefined {
  const wanted = request.headers.get('access-control-request-method')
  if (request.method !== 'OPTIONS' || wanted === null || !request.headers.has('origin')) {
    return undefined
  }
  const names = (request.headers.get('access-control-request-headers') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const isAllowed =
    methods.includes(wanted.toUpperCase()) &&
    names.every((name) => allowedHeaders.has(name.toLowerCase()))
  const vary = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers'
  if (!isAllowed) return emptyAnswer(204, { vary })
  return emptyAnswer(204, {
    vary,
    'access-control-allow-origin': '*',
    'access-control-allow-methods': wanted.toUpperCase(),
    ...(names.length === 0 ? {} : { 'access-control-allow-headers': names.join(', ') }),
  })
}
