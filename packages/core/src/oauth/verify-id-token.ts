import { oauthProtocolError } from '../auth/oauth-client/oauth-errors.ts'
import type { GatehouseError } from '../errors.ts'
import { isGatehouseError } from '../errors.ts'
import type { OAuthContext } from './context.ts'
import {
  clockToleranceSeconds,
  type ExpectedClaims,
  findWrongClaim,
  idTokenAlgorithms,
} from './id-token.ts'
import { isDeeperThan, isJsonObject, type JsonObject } from './json-object.ts'
import { type JoseModule, type KeySet, loadJose, type TokenClaims } from './load-jose.ts'

/** What an ID token must be like. */
export interface ExpectedIdToken extends ExpectedClaims {
  /** The URL of the keys that it may be signed with. */
  readonly jwks: string
}

const keysName = 'the key set'
const maxKeysAgeMs = 10 * 60_000
/** A key that is not known lets the keys be asked for again, if they are older. */
const keysCooldownMs = 30_000
const maxLevels = 32

/**
 * The claims of an ID token.
 *
 * @throws {GatehouseError} `OAuthProtocolError` if it is not sound, or the keys cannot be had.
 * @see OpenID Connect Core 1.0, section 3.1.3.7
 */
export async function verifyIdToken(
  oauth: OAuthContext,
  idToken: string,
  expected: ExpectedIdToken,
): Promise<JsonObject> {
  const jose = await loadJose()
  const verify = async (maxAgeMs: number): Promise<JsonObject> => {
    const keys = await getKeys(oauth, expected.jwks, maxAgeMs)
    const { payload } = await jose.jwtVerify(idToken, jose.createLocalJWKSet(keys), {
      algorithms: [...idTokenAlgorithms],
      audience: expected.clientId,
      currentDate: new Date(oauth.clock.now()),
      clockTolerance: clockToleranceSeconds,
      requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat'],
    })
    return readClaims(payload)
  }
  const claims = await verify(maxKeysAgeMs)
    .catch((error) =>
      // Keys are changed now and then.
      error instanceof jose.errors.JWKSNoMatchingKey
        ? verify(keysCooldownMs)
        : Promise.reject(error),
    )
    .catch((error) => Promise.reject(inWords(jose, error)))
  const wrong = findWrongClaim(claims, expected)
  if (wrong !== undefined) throw oauthProtocolError(`the ID token has the wrong "${wrong}"`)
  return claims
}

async function getKeys(
  { documents, http }: OAuthContext,
  url: string,
  maxAgeMs: number,
): Promise<KeySet> {
  const document = await documents.get(url, maxAgeMs, () => http.getDocument(keysName, url))
  if (!isKeySet(document)) throw oauthProtocolError(`${keysName} is no JWK Set`)
  return document
}

const isKeySet = (document: JsonObject): document is JsonObject & KeySet =>
  Array.isArray(document.keys) && document.keys.every(isJsonObject)

/** What was parsed as JSON, in a text that nobody has bounded in its depth. */
function readClaims(payload: TokenClaims): JsonObject {
  const claims = payload as JsonObject
  if (isDeeperThan(maxLevels, claims)) throw oauthProtocolError('the ID token is nested too deeply')
  return claims
}

/** Of what was wrong only the kind is told: errors of tokens hold their claims. */
function inWords(jose: JoseModule, error: unknown): GatehouseError {
  if (isGatehouseError(error)) return error
  const { JOSEError, JWTClaimValidationFailed, JWTExpired } = jose.errors
  if (error instanceof JWTClaimValidationFailed || error instanceof JWTExpired) {
    return oauthProtocolError(`the ID token has the wrong "${error.claim}"`)
  }
  const code = error instanceof JOSEError ? error.code : 'unknown'
  return oauthProtocolError(`the ID token could not be verified (${code})`)
}
