import type { JsonObject } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import { isCurrent, isForOneOf } from '../external-jwt/jwt-claims.ts'
import { type DecodedJwt, decodeJwt } from '../external-jwt/jwt-signature.ts'
import type { TokenClaims } from './token-verifier.ts'

/** Those that RFC 9068 asks for, and ES256. A shared secret would let every API sign tokens for all others. */
const algorithms: ReadonlySet<unknown> = new Set(['ES256', 'RS256'])

/** The type in the header: an ID token must not pass for an access token. @see RFC 9068, section 2.1 */
export const accessTokenType = 'at+jwt'

/** From whom and for whom a token must be, and when it must be valid. */
export interface ClaimDemands {
  readonly issuer: string
  readonly audience: readonly string[]
  readonly now: Instant
  /** How far the clocks of the issuer and of this machine may differ. */
  readonly skewSeconds: number
}

/** What may be wrong with a token, apart from its signature. */
export type TokenProblem = 'form' | 'typ' | 'alg' | 'claims' | 'iss' | 'aud' | 'time'

/** An access token whose signature is yet to be verified, or what is wrong with it. */
export type ReadToken =
  | { readonly jwt: DecodedJwt; readonly claims: TokenClaims; readonly problem?: undefined }
  | { readonly jwt?: undefined; readonly claims?: undefined; readonly problem: TokenProblem }

/** Reads an access token and checks its claims. @see RFC 9068, section 4 */
export function readAccessToken(token: string, demands: ClaimDemands): ReadToken {
  const jwt = decodeJwt(token)
  if (jwt === undefined) return { problem: 'form' }
  const { typ, alg } = jwt.header
  if (!isAccessTokenType(typ)) return { problem: 'typ' }
  if (!algorithms.has(alg)) return { problem: 'alg' }
  const { claims } = jwt
  return isVerifiable(claims) ? checkClaims({ jwt, claims }, demands) : { problem: 'claims' }
}

/** @see RFC 7515, section 4.1.9, for the long form */
const isAccessTokenType = (typ: unknown): boolean =>
  typeof typ === 'string' && typ.toLowerCase().replace(/^application\//, '') === accessTokenType

/** The members that the type promises. Others may be missing, or of any type. */
const isVerifiable = ({ iss, sub, aud, exp }: JsonObject): boolean =>
  typeof iss === 'string' &&
  typeof sub === 'string' &&
  sub !== '' &&
  [aud].flat().every((name) => typeof name === 'string') &&
  typeof exp === 'number'

function checkClaims(
  { jwt, claims }: { readonly jwt: DecodedJwt; readonly claims: JsonObject },
  { issuer, audience, now, skewSeconds }: ClaimDemands,
): ReadToken {
  if (claims.iss !== issuer) return { problem: 'iss' }
  if (!isForOneOf(audience, claims)) return { problem: 'aud' }
  // `iat` says only how old a token is.
  if (!isCurrent({ ...claims, iat: 0 }, skewSeconds, now)) return { problem: 'time' }
  // `isVerifiable` has checked the members.
  return { jwt, claims: claims as JsonObject & TokenClaims }
}

/** The scopes of a token. @see RFC 6749, section 3.3 */
export const scopesOf = ({ scope }: Pick<TokenClaims, 'scope'>): readonly string[] =>
  typeof scope === 'string' ? scope.split(' ').filter((one) => one !== '') : []
