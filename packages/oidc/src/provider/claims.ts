import type { Json, UserDetails } from '@gatehouse/core'
import { type OidcSettings, standardScopes } from '../config/settings.ts'

type Claims = Readonly<Record<string, Json>>

/** The claims of each scope, as the library takes them. */
export const claimsByScope = ({
  scopes,
}: Pick<OidcSettings, 'scopes'>): Record<string, string[]> => ({
  ...Object.fromEntries(
    Object.entries(standardScopes).map(([name, claims]) => [name, [...claims]]),
  ),
  ...Object.fromEntries([...scopes].map(([name, { claims }]) => [name, [...claims]])),
})

const isVerified = (
  { standard_attributes: attributes, verified_claims: verified }: UserDetails,
  claim: 'email' | 'phone_number',
): boolean => verified.some(({ name, value }) => name === claim && value === attributes[claim])

/** The texts of an attribute that has one text, or a list. */
function listIn(attributes: Claims, name: string): readonly string[] {
  const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined
  return [value].flat().filter((one) => typeof one === 'string' && one !== '') as string[]
}

/**
 * All claims of a user. The library gives an app only those of its scopes.
 *
 * @see OpenID Connect Core, section 5.1
 */
export function claimsOf(
  user: UserDetails,
  { roleAttribute, groupAttribute }: Pick<OidcSettings, 'roleAttribute' | 'groupAttribute'>,
  own: Claims = {},
): Claims & { readonly sub: string } {
  const { standard_attributes: standard, custom_attributes: custom } = user
  return {
    ...custom,
    ...standard,
    ...(standard.email === undefined ? {} : { email_verified: isVerified(user, 'email') }),
    ...(standard.phone_number === undefined
      ? {}
      : { phone_number_verified: isVerified(user, 'phone_number') }),
    updated_at: Math.floor(user.updated_at / 1_000),
    roles: listIn(custom, roleAttribute),
    groups: listIn(custom, groupAttribute),
    ...own,
    sub: user.id,
  }
}
