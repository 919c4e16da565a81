import {
  defineCollection,
  type TypedCollection,
  type TypedRecord,
} from '../../storage/collection.ts'
import {
  anything,
  flag,
  instant,
  mapOf,
  nullable,
  objectOf,
  oneOf,
  type RecordCheck,
  text,
} from '../../storage/record-check.ts'
import type { Json, Write } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'

/** Attributes of a user by their OpenID Connect names; custom ones start with `x_`. */
export type Attributes = { readonly [name: string]: Json }

/** A user. The id is a UUID. */
export interface UserRecord {
  readonly created_at: Instant
  readonly updated_at: Instant
  readonly last_login_at: Instant | null
  readonly is_disabled: boolean
  readonly disable_reason: string | null
  /** From then on the user counts as deleted; `delete_by` is who asked for it. */
  readonly delete_at: Instant | null
  readonly delete_by: 'admin' | 'user' | null
  readonly is_anonymized: boolean
  readonly anonymize_at: Instant | null
  readonly account_valid_from: Instant | null
  readonly account_valid_until: Instant | null
  /** Until then a user without a second factor may enrol one at login. */
  readonly mfa_grace_end: Instant | null
  /** The user does not want to be offered a passkey again. */
  readonly opt_out_passkey: boolean
  readonly standard_attributes: Attributes
  readonly custom_attributes: Attributes
}

/** Checks a stored user. An instant in another form would let a disabled user in. */
const userCheck: RecordCheck = objectOf<UserRecord>({
  created_at: instant,
  updated_at: instant,
  last_login_at: nullable(instant),
  is_disabled: flag,
  disable_reason: nullable(text),
  delete_at: nullable(instant),
  delete_by: nullable(oneOf(['admin', 'user'])),
  is_anonymized: flag,
  anonymize_at: nullable(instant),
  account_valid_from: nullable(instant),
  account_valid_until: nullable(instant),
  mfa_grace_end: nullable(instant),
  opt_out_passkey: flag,
  standard_attributes: mapOf(anything),
  custom_attributes: mapOf(anything),
})

/** Users by their id. */
export const userCollection: TypedCollection<UserRecord> = defineCollection({
  name: 'auth_users',
  fields: { created_at: 'number', delete_at: 'number', anonymize_at: 'number' },
  check: userCheck,
})

/**
 * Writes a user as it is, beside what the user is given: a concurrent commit that ends everything of the user fails, and sees the new
 * record when it decides again.
 */
export const userGuard = ({ id, value, version }: TypedRecord<UserRecord>): Write =>
  userCollection.write(id, value, { if: version })

/** The language in a profile. */
export const localeOf = ({
  standard_attributes: { locale },
}: Pick<UserRecord, 'standard_attributes'>): string | undefined =>
  typeof locale === 'string' ? locale : undefined
