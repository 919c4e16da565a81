import { isGatehouseError } from '../../errors.ts'
import { readSiteAccess } from '../oauth-client/client-options.ts'
import type { JsonObject } from '../oauth-client/json-object.ts'
import {
  createSiteAccess,
  type SiteAccess,
  type SiteAccessOptions,
} from '../oauth-client/site-access.ts'
import { type JwtCheck, readUnverified, verifyJwt } from '../oauth-client/verify-id-token.ts'
import type { ExternalJwtIssuer, ExternalJwtVerifier } from './external-jwt.ts'

/** Longer tokens are not valid. */
const longestToken = 16_384

/** Names no site: the keys are in the configuration. */
const noUri = 'https://keys.invalid/'

/**
 * Creates a verifier for the tokens of `external_jwt.issuers`. A token needs the claims `iss`, `sub`, `aud`, `iat` and `exp`, and
 * a signature by a private key. Needs the package `oauth4webapi`; without `allowPrivateAddresses` it connects only to public
 * addresses.
 *
 * @throws {GatehouseError} `InvalidInput` if an option is invalid.
 * @see RFC 7519; RFC 8725
 */
export function createExternalJwtVerifier(options: SiteAccessOptions = {}): ExternalJwtVerifier {
  const site = createSiteAccess(readSiteAccess(options))
  const keySets = new WeakMap<ExternalJwtIssuer, JwtCheck['keys']>()
  const keysOf = (issuer: ExternalJwtIssuer): JwtCheck['keys'] => {
    const known = keySets.get(issuer) ?? { issuer: issuer.iss, jwks_uri: issuer.jwks_uri ?? noUri }
    keySets.set(issuer, known)
    return known
  }
  return Object.freeze<ExternalJwtVerifier>({
    async verify(issuers, token) {
      if (token.length > longestToken) return undefined
      const said = readUnverified(token)
      const issuer = issuers.find(({ iss }) => iss === said.iss)
      const audience = issuer?.aud.find((name) => [said.aud].flat().includes(name))
      if (issuer === undefined || audience === undefined) return undefined
      const nonce = typeof said.nonce === 'string' ? said.nonce : undefined
      const claims = await claimsOf(site, issuer, {
        token,
        issuer: issuer.iss,
        audience,
        nonce,
        toleranceSeconds: issuer.clock_skew_seconds,
        keys: keysOf(issuer),
      })
      return claims && { issuer, claims }
    },
  })
}

/** `undefined` if the token is not valid. Rejects if the keys cannot be fetched. */
async function claimsOf(
  site: SiteAccess,
  { jwks }: ExternalJwtIssuer,
  check: JwtCheck,
): Promise<JsonObject | undefined> {
  let failure: unknown
  const fetchKeys = async (url: string): Promise<Response> => {
    if (jwks !== undefined) return Response.json(jwks)
    return site.fetchKeys(url).catch((error: unknown) => {
      failure = error
      throw error
    })
  }
  try {
    // `fetchKeys` itself refuses URLs that are not allowed.
    return await verifyJwt({ ...site, allowHttp: true, fetchKeys }, check)
  } catch (error) {
    if (failure !== undefined) throw failure
    if (isGatehouseError(error) && error.reason === 'OAuthProtocolError') return undefined
    throw error
  }
}
