import type { IdentityRecord, LoginIdIdentity } from '../../accounts/identity-record.ts'
import type { LoadedAuthConfig } from '../../config/config.ts'

/**
 * The name of a user for themselves: their login ID as typed, otherwise their account at a provider. `undefined` for an anonymous
 * user.
 */
export function displayNameOf(
  identities: readonly IdentityRecord[],
  { identity }: Pick<LoadedAuthConfig, 'identity'>,
): string | undefined {
  const places = new Map(identity.login_id.keys.map(({ key }, index) => [key, index]))
  const placeOf = ({ login_id_key: key }: LoginIdIdentity): number => places.get(key) ?? places.size
  const loginIds = identities.filter((one) => one.type === 'login_id')
  for (const type of ['email', 'phone', 'username'] as const) {
    const [first] = loginIds
      .filter((one) => one.login_id_type === type)
      .sort((one, other) => placeOf(one) - placeOf(other))
    if (first !== undefined) return first.original
  }
  const names = identities.flatMap((one) => accountName(one) ?? [])
  return names[0]
}

function accountName(identity: IdentityRecord): string | undefined {
  if (identity.type === 'custom') return `${identity.identification}:${identity.unique_key}`
  if (identity.type !== 'oauth') return undefined
  const { provider_type: provider, email, phone_number: phone, preferred_username: name } = identity
  return `${provider}:${email ?? phone ?? name ?? identity.subject}`
}
