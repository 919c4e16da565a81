import type { Json } from '../../../storage/storage.ts'
import {
  checkAttribute,
  standardKinds,
  withoutUnknownMembers,
} from '../../accounts/attribute-kind.ts'
import { identityKey } from '../../accounts/identities.ts'
import type { ClaimName, IdentityRecord, OAuthIdentity } from '../../accounts/identity-record.ts'
import type { Attributes } from '../../accounts/user-record.ts'
import { claimNames } from '../../flow/claims.ts'

/**
 * The initial attributes of a user: the claims of the first identity, then those of provider profiles for attributes that are
 * still empty.
 */
export function initialAttributes(identities: readonly IdentityRecord[]): Attributes {
  const [first] = identities
  const sources = [
    first === undefined ? {} : claimsOf(first),
    ...identities.flatMap((one) => (one.type === 'oauth' ? [profileOf(one)] : [])),
  ]
  // Reversed, so that earlier sources override later ones.
  return Object.fromEntries(sources.reverse().flatMap((one) => Object.entries(one)))
}

/** The identities of a user before and after a change. */
interface ChangedIdentities {
  readonly before: readonly IdentityRecord[]
  readonly after: readonly IdentityRecord[]
  /** Whether new identities fill empty attributes. */
  readonly fills: boolean
}

/** The attributes of a user after a change of identities: a lost address or name is replaced by one that the user still has. */
export function followedAttributes(
  attributes: Attributes,
  { before, after, fills }: ChangedIdentities,
): Attributes {
  const followed: Record<string, Json> = { ...attributes }
  const had = new Set(before.map(identityKey))
  const added = after.filter((one) => !had.has(identityKey(one)))
  for (const name of claimNames) {
    const value = attributes[name]
    const isLost = has(before, name, value) && !has(after, name, value)
    const from = isLost ? after : fills && value === undefined ? added : []
    const next = from.find((one) => one[name] !== undefined)?.[name]
    if (isLost) delete followed[name]
    if (next !== undefined) followed[name] = next
  }
  return followed
}

const has = (
  identities: readonly IdentityRecord[],
  name: ClaimName,
  value: Json | undefined,
): boolean => value !== undefined && identities.some((one) => one[name] === value)

function claimsOf({ email, phone_number, preferred_username }: IdentityRecord): Attributes {
  return definedOf({ email, phone_number, preferred_username })
}

/** Only values that the user could have typed. Names and addresses must be those of an identity. */
function profileOf({ email, claims }: OAuthIdentity): Attributes {
  const said = Object.entries(claims).flatMap(([name, value]) => {
    const kind = name.includes('/') ? undefined : standardKinds.get(`/${name}`)
    const isGood = kind !== undefined && checkAttribute(kind, value).length === 0
    return isGood ? [[name, withoutUnknownMembers(kind, value)] as const] : []
  })
  return { ...Object.fromEntries(said), ...definedOf({ email }) }
}

const definedOf = (claims: { readonly [name: string]: string | undefined }): Attributes =>
  Object.fromEntries(
    Object.entries(claims).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
