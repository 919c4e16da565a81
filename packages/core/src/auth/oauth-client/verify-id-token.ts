import { type GatehouseError, isGatehouseError } from '../../errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../storage/storage.ts'
import { systemClock } from '../../time/clock.ts'
import type { OAuthContext } from './context.ts'
import type { ProviderSite } from './endpoints.ts'
import { isDeeperThan } from './json-object.ts'
import { loadOAuth4WebApi } from './load-oauth4webapi.ts'
import { oauthProtocolError } from './oauth-errors.ts'
import type { OpenIdKind } from './provider-kind.ts'
import type { SiteAccess } from './site-access.ts'

/** The endpoints of a provider that issues ID tokens. */
export type OpenIdSite = ProviderSite & { readonly issuer: string; readonly jwks_uri: string }

/** Whether the issuer and its keys are known. */
export const issuesIdTokens = (site: ProviderSite): site is OpenIdSite =>
  site.issuer !== undefined && site.jwks_uri !== undefined

/** An ID token, with the parameters of its request. */
export interface ReceivedIdToken {
  readonly idToken: string
  readonly clientId: string
  readonly nonce: string
}

/** Signatures that only the holder of a private key can make, not every holder of the client secret. */
const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 Ed25519 EdDSA'.split(' ')
/** How far the clocks of a provider and of this machine may differ. */
const toleranceSeconds = 60
const maxLevels = 32

/**
 * Verifies an ID token and returns its claims.
 *
 * @throws {GatehouseError} `OAuthProtocolError` if it is invalid, or the keys cannot be fetched.
 * @see OpenID Connect Core 1.0, section 3.1.3.7
 */
export async function verifyIdToken(
  oauth: OAuthContext,
  kind: OpenIdKind,
  site: OpenIdSite,
  { idToken, clientId, nonce }: ReceivedIdToken,
): Promise<JsonObject> {
  const { iss, nonce: said } = readUnverified(idToken)
  const mayMissNonce = kind.nonce === 'if_given' && said === undefined
  const claims = await verifyJwt(oauth, {
    token: idToken,
    // The issuer may depend on other claims, so it is checked below, after the verification.
    issuer: typeof iss === 'string' && iss !== '' ? iss : site.issuer,
    audience: clientId,
    nonce: mayMissNonce ? undefined : nonce,
    toleranceSeconds,
    keys: site,
  })
  const { azp } = claims
  if (!kind.issuers(site.issuer, claims).some((name) => name === claims.iss)) {
    throw wrongClaim('iss')
  }
  if (azp !== undefined && azp !== clientId) throw wrongClaim('azp')
  return claims
}

/** A signed token and the demands on it. */
export interface JwtCheck {
  readonly token: string
  readonly issuer: string
  readonly audience: string
  /** `undefined` if the token must have none. */
  readonly nonce: string | undefined
  /** How far the clocks of the issuer and of this machine may differ. */
  readonly toleranceSeconds: number
  /** Names the key set, and caches its keys: pass the same object again. */
  readonly keys: { readonly issuer: string; readonly jwks_uri: string }
}

/**
 * Verifies a token with `iss`, `sub`, `aud`, `iat` and `exp`, and returns its claims.
 *
 * @throws {GatehouseError} `OAuthProtocolError` if it is invalid, or the keys cannot be fetched.
 */
async function verifyJwt(
  { clock, allowHttp, fetchKeys }: Pick<SiteAccess, 'clock' | 'allowHttp' | 'fetchKeys'>,
  { token, issuer, audience, nonce, toleranceSeconds, keys }: JwtCheck,
): Promise<JsonObject> {
  const library = await loadOAuth4WebApi()
  const client = {
    client_id: audience,
    [library.clockSkew]: Math.floor(clock.now() / 1_000) - Math.floor(systemClock.now() / 1_000),
    [library.clockTolerance]: toleranceSeconds,
  }
  const server = { issuer, id_token_signing_alg_values_supported: algorithms }
  // The package checks an ID token as part of a response with an access token.
  const response = Response.json({ access_token: 'none', token_type: 'bearer', id_token: token })
  const check = async (): Promise<JsonObject> => {
    const tokens = await library.processAuthorizationCodeResponse(server, client, response, {
      requireIdToken: true,
      ...(nonce === undefined ? {} : { expectedNonce: nonce }),
    })
    await library.validateApplicationLevelSignature(keys, response, {
      [library.customFetch]: fetchKeys,
      [library.allowInsecureRequests]: allowHttp,
    })
    return library.getValidatedIdTokenClaims(tokens) as JsonObject
  }
  const claims = await check().catch((error: unknown) => Promise.reject(inWords(error)))
  if (isDeeperThan(maxLevels, claims)) throw oauthProtocolError('the ID token is nested too deeply')
  return claims
}

/** The unverified claims of a token; none if it cannot be decoded, which the verification will find as well. */
function readUnverified(token: string): JsonObject {
  try {
    const claims: Json = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    return isJsonObject(claims) ? claims : {}
  } catch {
    return {}
  }
}

const wrongClaim = (claim: string): GatehouseError =>
  oauthProtocolError(`the ID token has the wrong "${claim}"`)

/** Repeats only messages of the package, which are constant texts. Other messages and every `cause` may contain claims. */
function inWords(error: unknown): GatehouseError {
  if (isGatehouseError(error)) return error
  if (!(error instanceof Error)) return oauthProtocolError('the ID token could not be verified')
  const { cause, name } = error
  if (typeof cause === 'object' && cause !== null && 'claim' in cause) {
    return wrongClaim(String(cause.claim))
  }
  const isOfPackage = 'code' in error && String(error.code).startsWith('OAUTH_')
  const reason = isOfPackage ? error.message : name
  return oauthProtocolError(`the ID token could not be verified (${reason})`)
}
