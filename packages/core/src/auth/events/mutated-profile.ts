import type { Json } from '../../storage/storage.ts'
import {
  type AttributeKind,
  checkAttribute,
  customKind,
  standardKinds,
  withoutUnknownMembers,
} from '../accounts/attribute-kind.ts'
import type { ClaimName, IdentityRecord } from '../accounts/identity-record.ts'
import type { AttributeRules, UserProfile } from '../accounts/user-profile.ts'
import type { Attributes } from '../accounts/user-record.ts'
import type { HookAnswer } from '../flow/hooks/host-hook.ts'

/** The changes of a profile that a hook demands. */
export type ProfileMutation = NonNullable<NonNullable<HookAnswer['mutations']>['user']>

/** The rules for the attributes of a hook. */
export interface MutationRules extends Pick<AttributeRules, 'custom_attributes' | 'phoneNumbers'> {
  readonly identities: readonly IdentityRecord[]
}

/** The changed parts of a profile, or the invalid attributes, as JSON pointers. */
export type CheckedMutation =
  | { readonly profile: Partial<UserProfile> }
  | { readonly problems: readonly string[] }

const claimNames: readonly ClaimName[] = ['email', 'phone_number', 'preferred_username']

/** Attributes that hooks of Authgear receive, and that are not stored. */
const derived: ReadonlySet<string> = new Set([
  'email_verified',
  'phone_number_verified',
  'updated_at',
])

/**
 * Checks the profile that a hook demands. Addresses and names must be those of an identity. Custom attributes that are not
 * configured belong to the host and may be any JSON.
 */
export function checkMutation(
  { standard_attributes: standard, custom_attributes: custom }: ProfileMutation,
  rules: MutationRules,
): CheckedMutation {
  const problems = [
    ...problemsOf('/standard_attributes', standard, (name) => standardKind(name, rules)),
    ...problemsOf('/custom_attributes', custom, (name) => configuredKind(name, rules)),
  ]
  if (problems.length > 0) return { problems }
  return {
    profile: {
      ...(standard === undefined ? {} : { standard_attributes: storable(standard, rules) }),
      ...(custom === undefined ? {} : { custom_attributes: custom }),
    },
  }
}

/** `undefined` for an unknown attribute. */
function standardKind(name: string, { identities }: MutationRules): AttributeKind | undefined {
  if (derived.has(name)) return { schema: {} }
  const claim = claimNames.find((one) => one === name)
  if (claim === undefined) return standardKinds.get(`/${name}`)
  return {
    schema: { type: 'string', enum: identities.flatMap((identity) => identity[claim] ?? []) },
  }
}

function configuredKind(
  name: string,
  { custom_attributes, phoneNumbers }: MutationRules,
): AttributeKind | undefined {
  if (!name.startsWith('x_')) return undefined
  const configured = custom_attributes.find(({ pointer }) => pointer === `/${name}`)
  return configured === undefined ? { schema: {} } : customKind(configured, phoneNumbers)
}

function problemsOf(
  place: string,
  attributes: Attributes = {},
  kindOf: (name: string) => AttributeKind | undefined,
): readonly string[] {
  return Object.entries(attributes).flatMap(([name, value]) => {
    const kind = kindOf(name)
    if (kind === undefined) return [`${place}/${name}`]
    return checkAttribute(kind, value).map(({ location }) => `${place}/${name}${location}`)
  })
}

function storable(attributes: Attributes, rules: MutationRules): Attributes {
  const kept = Object.entries(attributes).flatMap(([name, value]): [string, Json][] => {
    const kind = derived.has(name) ? undefined : standardKind(name, rules)
    return kind === undefined ? [] : [[name, withoutUnknownMembers(kind, value)]]
  })
  return Object.fromEntries(kept)
}
