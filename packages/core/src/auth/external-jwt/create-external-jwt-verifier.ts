import type { JsonObject } from '../../storage/storage.ts'
import {
  createSiteAccess,
  readSiteAccess,
  type SiteAccessOptions,
} from '../oauth-client/site-access.ts'
import type { ExternalJwtIssuer, ExternalJwtVerifier } from './external-jwt.ts'
import { isCurrent, isForOneOf } from './jwt-claims.ts'
import { candidatesOf, decodeJwt, isSignedByOne } from './jwt-signature.ts'
import { createKeySets } from './key-sets.ts'

/**
 * Creates a verifier for the tokens of `external_jwt.issuers`. A token needs the claims `iss` and `exp`, `aud` if audiences are
 * configured, and a signature by a private key. Without `allowPrivateAddresses` it connects only to public addresses.
 *
 * @throws {GatehouseError} `InvalidInput` if an option is invalid.
 * @see RFC 7519; RFC 8725
 */
export function createExternalJwtVerifier(options: SiteAccessOptions = {}): ExternalJwtVerifier {
  const site = createSiteAccess(readSiteAccess(options))
  const keySets = createKeySets(site)
  return Object.freeze<ExternalJwtVerifier>({
    async verify(issuers, token) {
      const jwt = decodeJwt(token)
      if (jwt === undefined) return undefined
      const issuer = issuers.find(({ iss }) => iss === jwt.claims.iss)
      if (issuer === undefined || !isFor(issuer, jwt.claims)) return undefined
      if (!isCurrent(jwt.claims, issuer.clock_skew_seconds, site.clock.now())) return undefined
      const keys = await keySets.keysOf(issuer, (known) => candidatesOf(jwt, known).length > 0)
      const isSigned = await isSignedByOne(jwt, candidatesOf(jwt, keys))
      return isSigned ? { issuer, claims: jwt.claims } : undefined
    },
  })
}

/** Without audiences in the configuration a token may be for any, or for none. */
const isFor = ({ aud }: ExternalJwtIssuer, claims: JsonObject): boolean =>
  aud.length === 0 || isForOneOf(aud, claims)
