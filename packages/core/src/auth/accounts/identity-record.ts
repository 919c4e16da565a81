import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import {
  anything,
  flag,
  instant,
  mapOf,
  objectOf,
  oneOf,
  optional,
  type RecordCheck,
  type RecordFields,
  text,
  variantsOf,
} from '../../storage/record-check.ts'
import type { Json } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { OAuthProviderType } from '../oauth-client/oauth-provider.ts'
import type { Attributes } from './user-record.ts'

/** The claims that identities can be found by, beside their own key. */
export type ClaimName = 'email' | 'phone_number' | 'preferred_username'

/** A claim with its value. */
export interface ClaimValue {
  readonly claim: ClaimName
  readonly value: string
}

interface IdentityBase {
  readonly user_id: string
  readonly created_at: Instant
  /** When its claims last changed (default `created_at`). */
  readonly updated_at?: Instant
  /** The claims it asserts; each is a declared field. */
  readonly email?: string
  readonly phone_number?: string
  readonly preferred_username?: string
}

/** An address or name that a user signs in with. */
export interface LoginIdIdentity extends IdentityBase {
  readonly type: 'login_id'
  readonly login_id_type: 'email' | 'phone' | 'username'
  /** The key of the configuration that it belongs to. */
  readonly login_id_key: string
  /** As typed, without surrounding whitespace. */
  readonly original: string
  readonly normalized: string
  readonly unique_key: string
  /** Whether a flow has created it without a proof of its address; `false` if the host has created it (default unknown). */
  readonly is_unproven?: boolean
}

/** A user's account at an identity provider. */
export interface OAuthIdentity extends IdentityBase {
  readonly type: 'oauth'
  readonly provider_type: OAuthProviderType
  readonly provider_alias: string
  /** The provider's id of the user. */
  readonly subject: string
  readonly unique_key: string
  /** Standard claims as of the last login; empty if the configuration stores none. */
  readonly claims: Attributes
  /** All claims as the provider last sent them, such as `sub`, `upn` and `exp` (default none). */
  readonly profile?: Attributes
}

/** The identity of an anonymous user. */
export interface AnonymousIdentity extends IdentityBase {
  readonly type: 'anonymous'
  readonly unique_key: string
}

/** An identity of a custom kind. */
export interface CustomIdentity extends IdentityBase {
  readonly type: 'custom'
  /** The name of the kind. */
  readonly identification: string
  readonly unique_key: string
  readonly data: Json
}

/** An identity of a user. `unique_key` is unique among identities of its kind. */
export type IdentityRecord = LoginIdIdentity | OAuthIdentity | AnonymousIdentity | CustomIdentity

type OfAnyIdentity =
  | 'type'
  | 'user_id'
  | 'created_at'
  | 'updated_at'
  | 'email'
  | 'phone_number'
  | 'preferred_username'
  | 'unique_key'

const ofAnyIdentity: RecordFields<Pick<IdentityRecord, OfAnyIdentity>> = {
  type: text,
  user_id: text,
  created_at: instant,
  updated_at: optional(instant),
  email: optional(text),
  phone_number: optional(text),
  preferred_username: optional(text),
  unique_key: text,
}

/** Checks a stored identity. */
const identityCheck: RecordCheck = variantsOf<IdentityRecord['type']>({
  login_id: objectOf<LoginIdIdentity>({
    ...ofAnyIdentity,
    login_id_type: oneOf(['email', 'phone', 'username']),
    login_id_key: text,
    original: text,
    normalized: text,
    is_unproven: optional(flag),
  }),
  oauth: objectOf<OAuthIdentity>({
    ...ofAnyIdentity,
    provider_type: text,
    provider_alias: text,
    subject: text,
    claims: mapOf(anything),
    profile: optional(mapOf(anything)),
  }),
  anonymous: objectOf<AnonymousIdentity>(ofAnyIdentity),
  custom: objectOf<CustomIdentity>({ ...ofAnyIdentity, identification: text, data: anything }),
})

/** Identities by their id. */
export const identityCollection: TypedCollection<IdentityRecord> = defineCollection({
  name: 'auth_identities',
  fields: { user_id: 'text', email: 'text', phone_number: 'text', preferred_username: 'text' },
  check: identityCheck,
})

/** Checks a stored identity key. */
const identityKeyCheck: RecordCheck = objectOf<{
  readonly user_id: string
  readonly identity_id: string
}>({ user_id: text, identity_id: text })

/** Keys that only one identity may have, as `login_id:email:maya@example.com`. The first to write one owns it. */
export const identityKeyCollection: TypedCollection<{
  readonly user_id: string
  readonly identity_id: string
}> = defineCollection({ name: 'auth_identity_keys', check: identityKeyCheck })
