import type { Json } from '../../storage/storage.ts'
import { checkAttribute, standardKinds, withoutUnknownMembers } from '../accounts/attribute-kind.ts'
import { identityKey } from '../accounts/identities.ts'
import type { Attributes, ClaimName, IdentityRecord, OAuthIdentity } from '../accounts/records.ts'
import { claimNames } from '../flow/claims.ts'

/**
 * The attributes a new user starts with: the claims of the first identity, and what a provider says of them, where nothing else
 * is there.
 */
export function initialAttributes(identities: readonly IdentityRecord[]): Attributes {
  const [first] = identities
  const sources = [
    first === undefined ? {} : claimsOf(first),
    ...identities.flatMap((one) => (one.type === 'oauth' ? [profileOf(one)] : [])),
  ]
  // What comes later goes before.
  return Object.fromEntries(sources.reverse().flatMap((one) => Object.entries(one)))
}

/** The identities of somebody before and after they have changed. */
interface ChangedIdentities {
  readonly before: readonly IdentityRecord[]
  readonly after: readonly IdentityRecord[]
  /** Whether an attribute that is not there is taken from a new identity. */
  readonly fills: boolean
}

/** The attributes of somebody whose identities have changed: an address or name that is theirs no more gives way to one that is. */
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

/** Only what its user could have typed in. Names and addresses must be those of an identity. */
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
