import type { Json } from '../../../storage/storage.ts'
import type { Identified } from '../../accounts/account.ts'
import type { ClaimName, OAuthIdentity } from '../../accounts/identity-record.ts'
import type { IncomingIdentity } from '../../accounts/incoming-identity.ts'
import type { Attributes } from '../../accounts/user-record.ts'
import type { LoginIdRules } from '../../login-ids/login-id.ts'
import { maskEmail } from '../../login-ids/mask.ts'
import { readClaims } from '../../login-ids/read-claims.ts'
import type { OAuthProfile } from '../../oauth-client/oauth-client.ts'
import { oauthProtocolError, oauthRefused } from '../../oauth-client/oauth-errors.ts'
import type { OAuthProviderConfig, OAuthProviderType } from '../../oauth-client/oauth-provider.ts'
import { oauthAccountKey } from './oauth-account-key.ts'

/** The data of a provider account, beyond that of all identities. JSON. */
export interface OAuthAccount {
  readonly provider_type: OAuthProviderType
  readonly subject: string
  readonly unique_key: string
  /** The stored part of the profile. */
  readonly claims: Attributes
  /** The stored part of the claims as the provider sent them. */
  readonly profile: Attributes
  /** Whether claims are stored, not only the subject. */
  readonly keeps_claims: boolean
}

/** The limit for the stored claims of an identity, in characters of JSON. */
const maxClaimsLength = 16_384

/**
 * Converts an account of a provider to an incoming identity.
 *
 * Its email address is checked like one that a user types; an invalid one is ignored. Its phone number and user name are
 * compared by the rules of account linking, but the new identity does not claim them: they belong to the user who proves them,
 * and a provider that asserts one must not block others from it.
 *
 * @throws {GatehouseError} `OAuthProtocolError` if there is no subject.
 */
export function incomingOAuthIdentity(
  provider: OAuthProviderConfig,
  { subject, claims: said, raw }: OAuthProfile,
  rules: LoginIdRules,
): IncomingIdentity {
  const { alias, type, do_not_store_identity_attributes: forgets } = provider
  if (subject === '') throw oauthProtocolError('the identity provider did not name the user')
  const claims = readClaims(said, rules)
  const own: OAuthAccount = {
    provider_type: type,
    subject,
    unique_key: oauthAccountKey(provider, subject),
    claims: forgets ? {} : boundedClaims(said),
    profile: forgets ? {} : boundedClaims(raw),
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

/**
 * Checks an account that no user has yet. The subject alone identifies a known one: users may withhold the address later.
 *
 * @throws {GatehouseError} `OAuthError` if the configuration requires an email address and there is none.
 */
export function requireEmail(
  { type, claims: { email } }: OAuthProviderConfig,
  { claims }: IncomingIdentity,
): void {
  if (claims.email !== undefined || !email.required) return
  const description = 'there is no email address in the profile'
  throw oauthRefused(type, { error: 'email_required', error_description: description })
}

/** The account of an incoming identity. */
export function oauthAccountOf({ own }: IncomingIdentity): OAuthAccount {
  return own as unknown as OAuthAccount
}

/** The record of an account. If claims are not stored, the address is not stored either. */
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

/**
 * The record of an account that its user signs in by again. Keeps the address and the claims that the provider does not send any
 * more: some send them only once, and others leave them out when the user wants that. The verification of an address does not
 * apply to a new one.
 */
export function renewedOAuthRecord(
  next: Identified<OAuthIdentity>,
  stored: Identified<OAuthIdentity>,
): Identified<OAuthIdentity> {
  const { email = stored.email } = next
  const missing = Object.entries(stored.claims).filter(
    ([name]) => !(name in next.claims) && !(name.replace(/_verified$/, '') in next.claims),
  )
  const claims = boundedClaims({ ...next.claims, ...Object.fromEntries(missing) })
  return { ...next, claims, ...(email === undefined ? {} : { email }) }
}

/** Does not assume what the provider denies. */
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

/** The claims that fit, in their order. */
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
