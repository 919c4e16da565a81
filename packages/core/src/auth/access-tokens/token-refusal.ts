import { type GatehouseError, isGatehouseError } from '../../errors.ts'
import { type Answer, textAnswer } from '../../http/answer.ts'
import { statusOf } from '../../http/status.ts'
import { signatureAlgorithms } from '../external-jwt/jwt-signature.ts'

const codes = {
  NotAuthenticated: undefined,
  InvalidToken: 'invalid_token',
  InvalidDpopProof: 'invalid_dpop_proof',
  InsufficientScope: 'insufficient_scope',
  TokenVerifierUnavailable: 'temporarily_unavailable',
} as const

/** Why a request with or without an access token is refused. */
export type TokenRefusalReason = keyof typeof codes

/** A refusal of a request, by the reason of its error. */
export interface TokenRefusal {
  readonly reason: TokenRefusalReason
  readonly answer: Answer
}

/** What a refusal tells clients of the API. */
export interface Challenge {
  /** The scopes that the route needs. */
  readonly scopes: readonly string[]
  /** Where the metadata of the API are. @see RFC 9728, section 5.1 */
  readonly metadataUrl: string | undefined
  /** Whether the request used the scheme `DPoP`. */
  readonly isDpop: boolean
}

/** Whether an error refuses the token, or its absence. Other errors are faults. */
export const isTokenRefusal = (
  error: unknown,
): error is GatehouseError & { readonly reason: TokenRefusalReason } =>
  isGatehouseError(error) && Object.hasOwn(codes, error.reason)

/** How long a client waits until it tries again, in seconds. */
const retryAfterSeconds = 5

/** The headers of a refusal. @see RFC 6750, section 3; RFC 9449, section 7.1; RFC 9728, section 5.1 */
export function refusalHeaders(
  { reason, message }: GatehouseError & { readonly reason: TokenRefusalReason },
  { scopes, metadataUrl, isDpop }: Challenge,
): Answer['headers'] {
  const uncached = { 'cache-control': 'no-store' }
  if (reason === 'TokenVerifierUnavailable') {
    return { ...uncached, 'retry-after': `${retryAfterSeconds}` }
  }
  const error = codes[reason]
  const parameters = {
    ...(error === undefined ? {} : { error, error_description: message }),
    ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
    ...(metadataUrl === undefined ? {} : { resource_metadata: metadataUrl }),
  }
  const dpop = { ...parameters, algs: signatureAlgorithms.join(' ') }
  if (error === undefined) {
    const both = [challenge('Bearer', parameters), challenge('DPoP', dpop)]
    return { ...uncached, 'www-authenticate': both }
  }
  const one = isDpop ? challenge('DPoP', dpop) : challenge('Bearer', parameters)
  return { ...uncached, 'www-authenticate': one }
}

/** The values are ASCII without quotes: constant texts, scopes, and a URL. */
const challenge = (scheme: string, parameters: Readonly<Record<string, string>>): string => {
  const pairs = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`)
  return [scheme, pairs.join(', ')].join(' ').trim()
}

/** The refusal of a request, with a body as OAuth's errors have. */
export function tokenRefusal(
  error: GatehouseError & { readonly reason: TokenRefusalReason },
  challenge: Challenge,
): TokenRefusal {
  const { reason, kind, message } = error
  const body = { error: codes[reason] ?? 'unauthorized', error_description: message }
  const answer = textAnswer(statusOf(kind), JSON.stringify(body), {
    'content-type': 'application/json',
  })
  const headers = { ...answer.headers, ...refusalHeaders(error, challenge) }
  return { reason, answer: { ...answer, headers } }
}
