import { parseUrl } from '../../http/parse-url.ts'
import { type Decode, having, rawText } from '../../input/decode.ts'
import { refusalBelow, refuse } from '../../input/refusal.ts'

/** The part of a request that says who sends it: a standard `Request`, or the headers of a framework. */
export interface RequestWithHeaders {
  readonly headers: { get(name: string): string | null }
}

/** A request with an access token, as a standard `Request` or a framework has it. */
export interface TokenRequest extends RequestWithHeaders {
  readonly method: string
  /** The whole URL, or path and query. */
  readonly url: string
}

const headersOf = having<RequestWithHeaders['headers']>('headers, as a Request has them', 'get')

/** A standard request has its headers behind a getter, so it is not a plain object. */
export const requestWithHeaders: Decode<RequestWithHeaders> = (value) => {
  if (typeof value !== 'object' || value === null) return refuse('a Request', value)
  return { headers: member(value, 'headers', headersOf) }
}

/** Accepts a standard request, or what a framework has of one. */
export const tokenRequest: Decode<TokenRequest> = (value) => {
  const { headers } = requestWithHeaders(value)
  const from = Object(value)
  return { headers, method: member(from, 'method', rawText), url: member(from, 'url', rawText) }
}

function member<T>(value: object, name: string, decode: Decode<T>): T {
  try {
    return decode(Reflect.get(value, name))
  } catch (error) {
    throw refusalBelow(error, name)
  }
}

/** A token in the header `Authorization`. */
export interface SentToken {
  readonly scheme: 'bearer' | 'dpop'
  /** It may be anything: a malformed token is a wrong one, and not none, for which a cookie would count. */
  readonly token: string
}

/** The token of a request; `undefined` if it has none. @see RFC 6750, section 2.1; RFC 9449, section 7.1 */
export function sentToken({ headers }: RequestWithHeaders): SentToken | undefined {
  const authorization = headers.get('authorization')?.trim() ?? ''
  const [, scheme, token] = /^(bearer|dpop)[ \t]+(.*)$/i.exec(authorization) ?? []
  if (scheme === undefined || token === undefined) return undefined
  return { scheme: scheme.toLowerCase() === 'dpop' ? 'dpop' : 'bearer', token }
}

/** The URLs that a request may have been sent to, without their query: its path at each of the origins, or at its own. */
export function targetsOf({ url }: TokenRequest, origins: readonly string[]): readonly string[] {
  const sent = parseUrl(url, origins[0] ?? 'http://localhost')
  if (sent === undefined) return []
  const at = origins.length === 0 ? [sent.origin] : origins
  return at.map((origin) => `${origin}${sent.pathname}`)
}
