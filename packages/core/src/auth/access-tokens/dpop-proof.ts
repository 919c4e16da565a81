import { sha256Base64Url } from '../../crypto/crypto.ts'
import { parseUrl } from '../../http/parse-url.ts'
import { isJsonObject, type JsonObject } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import { type DecodedJwt, decodeJwt, publicMembers } from '../external-jwt/jwt-signature.ts'

/** A proof says when it was made, and counts for a minute. */
export const proofMs = 60_000

const maxJtiLength = 256

/** What a proof must be for. */
export interface ProofDemands {
  readonly method: string
  /** The URLs that the request may have been sent to, without their query. */
  readonly targets: readonly string[]
  /** The token that comes with the proof. */
  readonly token: string
  /** The thumbprint of the key that the token is bound to. */
  readonly jkt: string
  readonly now: Instant
}

/** A proof whose signature is yet to be verified, or what is wrong with it. */
export type ReadProof =
  | {
      readonly jwt: DecodedJwt
      readonly key: JsonObject
      /** Names the proof among all proofs of all keys. */
      readonly id: string
      readonly problem?: undefined
    }
  | { readonly jwt?: undefined; readonly problem: string }

/** Reads a proof and checks its claims. @see RFC 9449, section 4.3 */
export function readProof(proof: string, demands: ProofDemands): ReadProof {
  const jwt = decodeJwt(proof)
  if (jwt === undefined) return { problem: 'is missing, or not one signed JWT' }
  const { typ, jwk } = jwt.header
  if (typ !== 'dpop+jwt') return { problem: 'has another type than dpop+jwt' }
  if (!isJsonObject(jwk) || isPrivate(jwk)) return { problem: 'lacks a public key' }
  const { htm, htu, ath, iat, jti } = jwt.claims
  const target = typeof htu === 'string' ? parseUrl(htu) : undefined
  if (htm !== demands.method) return { problem: 'is for another method' }
  if (target === undefined || !demands.targets.includes(`${target.origin}${target.pathname}`)) {
    return { problem: 'is for another URL' }
  }
  if (ath !== hashOf(demands.token)) return { problem: 'is for another access token' }
  const isNew = typeof iat === 'number' && Math.abs(iat * 1_000 - demands.now) <= proofMs
  if (!isNew) return { problem: 'was not made within the last minute' }
  if (typeof jti !== 'string' || jti === '' || jti.length > maxJtiLength) {
    return { problem: 'lacks an identifier' }
  }
  if (thumbprintOf(jwk) !== demands.jkt)
    return { problem: 'is by another key than that of the token' }
  return { jwt, key: jwk, id: hashOf(`${demands.jkt}.${jti}`) }
}

/** Whether a key has a member that only its holder may know. @see RFC 7518, sections 6.2.2 and 6.3.2 */
const isPrivate = (jwk: JsonObject): boolean => 'd' in jwk || 'k' in jwk

const hashOf = (text: string): string => sha256Base64Url(Buffer.from(text))

/** @see RFC 7638, section 3 */
function thumbprintOf(jwk: JsonObject): string | undefined {
  const members = publicMembers(jwk)
  return members && hashOf(JSON.stringify(members))
}
