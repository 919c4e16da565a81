import { decodeInput, exactly, type Fields, flag, optional } from '../../input/decode.ts'
import { metadataUrlOf } from './protected-resource.ts'
import { demandFields, verifierPort, wordsOf } from './token-input.ts'
import { type Challenge, isTokenRefusal, type TokenRefusal, tokenRefusal } from './token-refusal.ts'
import { sentToken, type TokenRequest, tokenRequest } from './token-request.ts'
import type { TokenClaims, TokenDemands, TokenVerifier } from './token-verifier.ts'

/** What an access token must be good for, and what clients without one are told. */
export interface AdmitTokenOptions extends TokenDemands {
  /**
   * Whether refusals name the metadata of the API, by which clients find its authorization server: those of `audience`, which
   * `protectedResourceRoutes` serves (default `false`).
   */
  readonly resourceMetadata?: boolean | undefined
}

/** The claims of a request's access token, or the answer that refuses it. */
export type TokenAdmission =
  | { readonly token: TokenClaims; readonly refusal?: undefined }
  | { readonly token?: undefined; readonly refusal: TokenRefusal }

/** How the options are decoded. */
export const admitTokenFields: Fields<AdmitTokenOptions> = {
  ...demandFields,
  resourceMetadata: optional(flag),
}

const decodeOptions = exactly<AdmitTokenOptions>(admitTokenFields)

/**
 * Admits a request whose access token fulfils the demands. Others get an answer: 401 or 403 with `WWW-Authenticate`, or 503 if the
 * issuer's keys cannot be fetched.
 *
 * @throws {GatehouseError} `InvalidInput`, also if neither the options nor the verifier has an audience, and with `resourceMetadata`
 *   if `audience` is not a URL.
 * @example
 * const { token, refusal } = await admitToken(verifier, request, { scope: 'orders:read' })
 * if (token === undefined) throw new Error(refusal.reason)
 * @see RFC 6750, section 3
 */
export async function admitToken(
  verifier: TokenVerifier,
  request: TokenRequest,
  given: AdmitTokenOptions = {},
): Promise<TokenAdmission> {
  const { resourceMetadata: _named, ...check } = decodeInput('options', decodeOptions, given)
  const asked = decodeInput('request', tokenRequest, request)
  const port = decodeInput('verifier', verifierPort, verifier)
  const challenge = challengeOf(asked, given)
  try {
    return { token: await port.verifyToken({ ...check, request: asked }) }
  } catch (error) {
    if (!isTokenRefusal(error)) throw error
    return { refusal: tokenRefusal(error, challenge) }
  }
}

/** What a refusal of a request says. @throws {GatehouseError} `InvalidInput` with `resourceMetadata`, if `audience` is not one URL. */
export const challengeOf = (
  request: TokenRequest,
  { scope, audience, resourceMetadata = false }: AdmitTokenOptions,
): Challenge => ({
  scopes: wordsOf(scope),
  metadataUrl: resourceMetadata ? metadataUrlOf(audience) : undefined,
  isDpop: sentToken(request)?.scheme === 'dpop',
})
