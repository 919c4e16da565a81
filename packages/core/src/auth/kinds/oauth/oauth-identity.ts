import type { Json } from '../../../storage/storage.ts'
import type { IncomingIdentity } from '../../accounts/incoming-identity.ts'
import type { Attributes, ClaimName, Identified, OAuthIdentity } from '../../accounts/records.ts'
import { type LoginIdRules, type LoginIdType, readLoginId } from '../../login-ids/login-id.ts'
import { maskEmail } from '../../login-ids/mask.ts'
import type { OAuthProfile } from '../../oauth-client/oauth-client.ts'
import { oauthProtocolError, oauthRefused } from '../../oauth-client/oauth-errors.ts'
import type { OAuthProviderConfig, OAuthProviderType } from '../../oauth-client/oauth-provider.ts'
import { oauthAccountKey } from './oauth-account-key.ts'

/** What is known of an account of a provider beside what all identities have. JSON. */
export interface OAuthAccount {
  readonly provider_type: OAuthProviderType
  readonly subject: string
  readonly unique_key: string
  /** What is kept of the profile. */
  readonly claims: Attributes
  /** Whether anything is kept of it but the subject. */
  readonly keeps_claims: boolean
}

/** So many characters of claims, as JSON, are kept with an identity. */
const maxClaimsLength = 16_384

/**
 * An account of a provider as an identity that comes in.
 *
 * An e-mail address is read as one that somebody types; one that nobody could type is none. A phone number and a name are compared
 * by rules of account linking, and are no claims of the identity that is made: they belong to whoever has proven them, and a provider
 * that knows a name must not keep others from it.
 *
 * @throws {GatehouseError} `OAuthError` if there is no e-mail address and the configuration wants one; `OAuthProtocolError` if
 *   there is no name of the account.
 */
export function incomingOAuthIdentity(
  provider: OAuthProviderConfig,
  { subject, claims: said }: OAuthProfile,
  rules: LoginIdRules,
): IncomingIdentity {
  const { alias, type, do_not_store_identity_attributes: forgets } = provider
  if (subject === '') throw oauthProtocolError('the identity provider did not name the user')
  const claims = readClaims(said, rules)
  if (claims.email === undefined && provider.claims.email.required) {
    const description = 'there is no e-mail address in the profile'
    throw oauthRefused(type, { error: 'email_required', error_description: description })
  }
  const own: OAuthAccount = {
    provider_type: type,
    subject,
    unique_key: oauthAccountKey(provider, subject),
    claims: forgets ? {} : boundedClaims(said),
    keeps_claims: !forgets,
  }
  return {
    identification: 'oauth',
    names: { IdentityTypeIncoming: 'oauth', OAuthProviderTypeIncoming: type },
    source: alias,
    claims,
    verified: verifiedClaims(provider, said, claims),
    display: claims.email === undefined ? alias : maskEmail(claims.email),
    own: own as unknown as Json,
  }
}

/** The account of an identity that came in. */
export function oauthAccountOf({ own }: IncomingIdentity): OAuthAccount {
  return own as unknown as OAuthAccount
}

/** What is stored of an account. Of one of which nothing is to be kept not even the address is. */
export function oauthRecord(
  incoming: IncomingIdentity,
  about: Pick<Identified<OAuthIdentity>, 'id' | 'user_id' | 'created_at'>,
): Identified<OAuthIdentity> {
  const { keeps_claims: isKept, ...account } = oauthAccountOf(incoming)
  const { email } = incoming.claims
  return {
    ...about,
    type: 'oauth',
    provider_alias: incoming.source,
    ...account,
    ...(isKept && email !== undefined ? { email } : {}),
  }
}

const typeOfClaim: Readonly<Record<ClaimName, LoginIdType>> = {
  email: 'email',
  phone_number: 'phone',
  preferred_username: 'username',
}

function readClaims(said: Attributes, rules: LoginIdRules): IncomingIdentity['claims'] {
  const claims: { [Name in ClaimName]?: string } = {}
  for (const name of ['email', 'phone_number', 'preferred_username'] as const) {
    const value = said[name]
    if (typeof value !== 'string') continue
    const read = readLoginId(typeOfClaim[name], value, rules, 'look-up')
    if ('loginId' in read) claims[name] = read.loginId.normalized
  }
  return claims
}

/** What a provider denies is not assumed. */
function verifiedClaims(
  { claims: { email } }: OAuthProviderConfig,
  { email_verified, phone_number_verified }: Attributes,
  claims: IncomingIdentity['claims'],
): readonly ClaimName[] {
  const isEmailVerified = email_verified ?? email.assume_verified
  const verified: ClaimName[] = []
  if (claims.email !== undefined && isEmailVerified === true) verified.push('email')
  if (claims.phone_number !== undefined && phone_number_verified === true) {
    verified.push('phone_number')
  }
  return verified
}

/** The claims in their order, but for those there is no room for. */
function boundedClaims(said: Attributes): Attributes {
  let room = maxClaimsLength
  const kept = Object.entries(said).filter((claim) => {
    const { length } = JSON.stringify(claim)
    if (length > room) return false
    room -= length
    return true
  })
  return Object.fromEntries(kept)
}
