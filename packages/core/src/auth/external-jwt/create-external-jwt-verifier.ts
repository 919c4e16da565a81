import type { JsonObject } from '../../storage/storage.ts'
import { readSiteAccess } from '../oauth-client/client-options.ts'
import { isDeeperThan } from '../oauth-client/json-object.ts'
import { createSiteAccess, type SiteAccessOptions } from '../oauth-client/site-access.ts'
import type { ExternalJwtIssuer, ExternalJwtVerifier } from './external-jwt.ts'
import { candidatesOf, decodeJwt, isSignedByOne } from './jwt-signature.ts'
import { createKeySets } from './key-sets.ts'

/** Longer tokens are not valid. */
const maxTokenLength = 16_384
const maxLevels = 32

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
      const jwt = token.length > maxTokenLength ? undefined : decodeJwt(token)
      if (jwt === undefined || isDeeperThan(maxLevels, jwt.claims)) return undefined
      const issuer = issuers.find(({ iss }) => iss === jwt.claims.iss)
      if (issuer === undefined || !isFor(issuer, jwt.claims)) return undefined
      if (!isCurrent(jwt.claims, issuer, site.clock.now())) return undefined
      const keys = await keySets.keysOf(issuer, (known) => candidatesOf(jwt, known).length > 0)
      const isSigned = await isSignedByOne(jwt, candidatesOf(jwt, keys))
      return isSigned ? { issuer, claims: jwt.claims } : undefined
    },
  })
}

/** Without audiences in the configuration a token may be for any, or for none. */
const isFor = ({ aud }: ExternalJwtIssuer, { aud: said = [] }: JsonObject): boolean =>
  aud.length === 0 || aud.some((name) => [said].flat().includes(name))

/** Whether a token is valid at an instant. It must have an end. @see RFC 7519, section 4.1 */
function isCurrent(
  { exp, nbf = 0, iat = 0 }: JsonObject,
  { clock_skew_seconds: skew }: ExternalJwtIssuer,
  now: number,
): boolean {
  const seconds = now / 1_000
  const isPast = (instant: unknown): boolean =>
    typeof instant === 'number' && instant <= seconds + skew
  return typeof exp === 'number' && exp > seconds - skew && isPast(nbf) && isPast(iat)
}
