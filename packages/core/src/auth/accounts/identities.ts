import type { LoginIdType } from '../login-ids/login-id.ts'
import type { Identified } from './account.ts'
import type { ClaimName, IdentityRecord } from './identity-record.ts'
import type { IncomingIdentity } from './incoming-identity.ts'

/** A key that only one identity may have, and the id of the record that names its owner: `login_id:email:maya@example.com`. */
export function identityKey(identity: IdentityRecord): string {
  return keyOfIdentity(identity.type, sortOf(identity), identity.unique_key)
}

/** The key of an identity to look up. `sort`: the type of a login ID, the provider's type, or the name of a custom kind. */
export function keyOfIdentity(
  type: IdentityRecord['type'],
  sort: string,
  uniqueKey: string,
): string {
  return [type, ...(sort === '' ? [] : [sort]), uniqueKey].join(':')
}

function sortOf(identity: IdentityRecord): string {
  switch (identity.type) {
    case 'login_id':
      return identity.login_id_type
    case 'oauth':
      return identity.provider_type
    case 'custom':
      return identity.identification
    case 'anonymous':
      return ''
  }
}

/** The names of an identity in errors and events. */
export interface IdentityNames {
  readonly IdentityType: string
  readonly LoginIDType?: string
  readonly OAuthProviderType?: string
}

/** The names of a stored identity in errors. */
export function namesOf(identity: IdentityRecord): IdentityNames {
  switch (identity.type) {
    case 'login_id':
      return { IdentityType: identity.type, LoginIDType: identity.login_id_type }
    case 'oauth':
      return { IdentityType: identity.type, OAuthProviderType: identity.provider_type }
    case 'custom':
      return { IdentityType: identity.identification }
    case 'anonymous':
      return { IdentityType: identity.type }
  }
}

/** The names of a stored identity with `Existing` appended, for errors that also name an incoming one. */
export function existingNames(identity: IdentityRecord): { readonly [name: string]: string } {
  return withSuffix(namesOf(identity), 'Existing')
}

/** The names of an identity as if it were incoming. */
export function incomingNames(identity: IdentityRecord): IncomingIdentity['names'] {
  return withSuffix(namesOf(identity), 'Incoming') as unknown as IncomingIdentity['names']
}

function withSuffix(names: IdentityNames, suffix: string): { readonly [name: string]: string } {
  return Object.fromEntries(Object.entries(names).map(([name, value]) => [name + suffix, value]))
}

/** The claim that a login ID of each type asserts. */
export const claimOfLoginId: Readonly<Record<LoginIdType, ClaimName>> = {
  email: 'email',
  phone: 'phone_number',
  username: 'preferred_username',
}

/** An identity without the note on its proof, which only the rules need. */
export function withoutMark(identity: Identified<IdentityRecord>): Identified<IdentityRecord> {
  if (identity.type !== 'login_id') return identity
  const { is_unproven: _mark, ...rest } = identity
  return rest
}
