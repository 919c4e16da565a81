import { blockCollection, packedCollection } from '../history/history-block.ts'
import { defineCollection, type TypedCollection } from '../storage/collection.ts'
import { healthCollection } from '../storage/health.ts'
import { shapeCollection } from '../storage/readable-storage.ts'
import {
  anything,
  flag,
  instant,
  listOf,
  mapOf,
  nullable,
  number,
  objectOf,
  optional,
  text,
} from '../storage/record-check.ts'
import type { Collection, Json } from '../storage/storage.ts'
import type { Instant } from '../time/clock.ts'
import type {
  AuthenticatorRecord,
  IdentityRecord,
  PasswordHistoryRecord,
  RecoveryCodeRecord,
  SessionRecord,
  UserRecord,
  VerifiedClaimRecord,
} from './accounts/records.ts'
import { auditCollection } from './events/audit-record.ts'
import type { CodeRecord, LinkRecord } from './kinds/oob-otp/otp-code.ts'
import type { LockoutRecord } from './limits/lockout.ts'
import {
  authenticatorCheck,
  codeCheck,
  identityCheck,
  identityKeyCheck,
  linkCheck,
  lockoutCheck,
  passwordHistoryCheck,
  recoveryCodeCheck,
  sessionCheck,
  userCheck,
  verifiedClaimCheck,
} from './record-checks.ts'

/** A flow that has not ended, by its id. Removing the record ends the flow. */
export const flowCollection: TypedCollection<{ readonly sealed: string }> = defineCollection({
  name: 'auth_flows',
  unreadable: 'skip',
  check: objectOf<{ readonly sealed: string }>({ sealed: text }),
})

/** A stored state of a flow. */
export interface StateRecord {
  readonly flow_id: string
  readonly sealed: string
}

/** The states of flows, by the SHA-256 of their tokens. */
export const stateCollection: TypedCollection<StateRecord> = defineCollection({
  name: 'auth_states',
  unreadable: 'skip',
  check: objectOf<StateRecord>({
    flow_id: text,
    sealed: text,
  }),
})

/** Values that all states of a flow share, by the flow's id. */
export const flowMemoryCollection: TypedCollection<{
  readonly is_bot_protection_passed: boolean
}> = defineCollection({
  name: 'auth_flow_memories',
  unreadable: 'skip',
  check: objectOf<{ readonly is_bot_protection_passed: boolean }>({
    is_bot_protection_passed: flag,
  }),
})

/** Users by their id. */
export const userCollection: TypedCollection<UserRecord> = defineCollection({
  name: 'auth_users',
  fields: { created_at: 'number', delete_at: 'number', anonymize_at: 'number' },
  check: userCheck,
})

/** Attributes that users are found by, by the user and the SHA-256 of the name. `key` is a digest of name and value. */
export const userAttributeCollection: TypedCollection<{
  readonly user_id: string
  readonly key: string
}> = defineCollection({
  name: 'auth_user_attributes',
  fields: { user_id: 'text', key: 'text' },
  unreadable: 'skip',
  check: objectOf<{ readonly user_id: string; readonly key: string }>({ user_id: text, key: text }),
})

/** Identities by their id. */
export const identityCollection: TypedCollection<IdentityRecord> = defineCollection({
  name: 'auth_identities',
  fields: { user_id: 'text', email: 'text', phone_number: 'text', preferred_username: 'text' },
  check: identityCheck,
})

/** Keys that only one identity may have, as `login_id:email:maya@example.com`. The first to write one owns it. */
export const identityKeyCollection: TypedCollection<{
  readonly user_id: string
  readonly identity_id: string
}> = defineCollection({ name: 'auth_identity_keys', check: identityKeyCheck })

/** Claims that an identity was recently added with, by their SHA-256. A record invalidates earlier reads of its claim. */
export const claimGuardCollection: TypedCollection<Readonly<Record<string, never>>> =
  defineCollection({ name: 'auth_claim_guards' })

/** Authenticators by their id. */
export const authenticatorCollection: TypedCollection<AuthenticatorRecord> = defineCollection({
  name: 'auth_authenticators',
  fields: { user_id: 'text' },
  check: authenticatorCheck,
})

/** Verified claims, by user, claim and value. */
export const verifiedClaimCollection: TypedCollection<VerifiedClaimRecord> = defineCollection({
  name: 'auth_verified_claims',
  fields: { user_id: 'text' },
  check: verifiedClaimCheck,
})

/** Recovery codes, by the user and the HMAC of the code. */
export const recoveryCodeCollection: TypedCollection<RecoveryCodeRecord> = defineCollection({
  name: 'auth_recovery_codes',
  fields: { user_id: 'text' },
  check: recoveryCodeCheck,
})

/** Earlier passwords. */
export const passwordHistoryCollection: TypedCollection<PasswordHistoryRecord> = defineCollection({
  name: 'auth_password_history',
  fields: { user_id: 'text' },
  check: passwordHistoryCheck,
})

/** A trusted device. */
export interface DeviceTokenRecord {
  readonly user_id: string
  readonly created_at: Instant
  /** The second factor that the device stands for; `null` or missing for any, after a recovery code and in old records. */
  readonly authenticator_id?: string | null
}

/** Device tokens by their SHA-256. */
export const deviceTokenCollection: TypedCollection<DeviceTokenRecord> = defineCollection({
  name: 'auth_device_tokens',
  fields: { user_id: 'text' },
  unreadable: 'skip',
  check: objectOf<DeviceTokenRecord>({
    user_id: text,
    created_at: instant,
    authenticator_id: optional(nullable(text)),
  }),
})

/** Sessions by their id. */
export const sessionCollection: TypedCollection<SessionRecord> = defineCollection({
  name: 'auth_sessions',
  fields: { user_id: 'text' },
  unreadable: 'skip',
  check: sessionCheck,
})

/** An event that waits for delivery. */
interface OutboxRecord {
  readonly event: Json
  /** The event's sequence number among all events; assigned at the first delivery attempt. */
  readonly seq?: number
  readonly attempts: number
  /** The receivers that have accepted it, by their digest; the others get it again. */
  readonly accepted?: readonly string[]
  /** Until then a process holds the claim to deliver it. */
  readonly claimed_until: Instant | null
}

/** Events that wait for delivery; their ids sort by age, oldest first. */
export const outboxCollection: TypedCollection<OutboxRecord> = defineCollection({
  name: 'auth_outbox',
  unreadable: 'skip',
  check: objectOf<OutboxRecord>({
    event: mapOf(anything),
    seq: optional(number),
    attempts: number,
    accepted: optional(listOf(text)),
    claimed_until: nullable(number),
  }),
})

/** How many events have a sequence number. */
export const eventCountCollection: TypedCollection<{ readonly count: number }> = defineCollection({
  name: 'auth_event_count',
  check: objectOf<{ readonly count: number }>({ count: number }),
})

/** The buckets of rate limits, each stored as the instant at which it is empty again. */
export const bucketCollection: TypedCollection<{ readonly empty_at: Instant }> = defineCollection({
  name: 'auth_buckets',
  check: objectOf<{ readonly empty_at: Instant }>({ empty_at: number }),
})

/** Failed attempts of users, by the user's id. */
export const lockoutCollection: TypedCollection<LockoutRecord> = defineCollection({
  name: 'auth_lockouts',
  check: lockoutCheck,
})

/** Valid codes, by their purpose and the MAC of the address; links to approve also by their flow. */
export const codeCollection: TypedCollection<CodeRecord> = defineCollection({
  name: 'auth_codes',
  unreadable: 'skip',
  check: codeCheck,
})

/** The purpose of a link's code, by the SHA-256 of the code. */
export const linkCollection: TypedCollection<LinkRecord> = defineCollection({
  name: 'auth_links',
  unreadable: 'skip',
  check: linkCheck,
})

/** Approved links, by the channels of the flows that wait for them. */
export const approvalCollection: TypedCollection<{ readonly approved_at: Instant }> =
  defineCollection({ name: 'auth_approvals', feed: true })

/** Challenges of passkeys that were used, by their id, kept while they could still be replayed. */
export const spentChallengeCollection: TypedCollection<{ readonly spent_at: Instant }> =
  defineCollection({ name: 'auth_webauthn_challenges' })

/** All collections of the authentication flow service, for programs that create the tables in advance. */
export const authCollections: readonly Collection[] = Object.freeze([
  shapeCollection,
  flowCollection,
  stateCollection,
  flowMemoryCollection,
  userCollection,
  userAttributeCollection,
  identityCollection,
  claimGuardCollection,
  identityKeyCollection,
  authenticatorCollection,
  verifiedClaimCollection,
  recoveryCodeCollection,
  passwordHistoryCollection,
  deviceTokenCollection,
  sessionCollection,
  outboxCollection,
  eventCountCollection,
  auditCollection,
  blockCollection,
  packedCollection,
  bucketCollection,
  lockoutCollection,
  codeCollection,
  linkCollection,
  approvalCollection,
  spentChallengeCollection,
  healthCollection,
])
