import type { LoginIdType } from '../login-ids/login-id.ts'
import type { IncomingIdentity } from './incoming-identity.ts'
import type { ClaimName, IdentityRecord } from './records.ts'

/** What only one identity may have, as the id of the record that says whose it is: `login_id:email:maya@example.com`. */
export function identityKey(identity: IdentityRecord): string {
  return keyOfIdentity(identity.type, sortOf(identity), identity.unique_key)
}

/** The same of an identity that is looked for. `sort`: the type of a login ID, the provider's, the kind of a custom one. */
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

/** How errors and events name an identity. */
export interface IdentityNames {
  readonly IdentityType: string
  readonly LoginIDType?: string
  readonly OAuthProviderType?: string
}

/** How errors name an identity that is there. */
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

/** The same with `Existing` behind each name, beside what came in. */
export function existingNames(identity: IdentityRecord): { readonly [name: string]: string } {
  return withSuffix(namesOf(identity), 'Existing')
}

/** The same as of an identity that comes in. */
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
