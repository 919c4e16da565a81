import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import { instant, nullable, objectOf, type RecordCheck, text } from '../../storage/record-check.ts'
import type { Instant } from '../../time/clock.ts'

/** A recovery code, by its HMAC. */
export interface RecoveryCodeRecord {
  readonly user_id: string
  readonly created_at: Instant
  readonly consumed_at: Instant | null
  /** The flow that has reserved it, and until when. */
  readonly reserved_by: string | null
  readonly reserved_until: Instant | null
}

/** Checks a stored recovery code. */
const recoveryCodeCheck: RecordCheck = objectOf<RecoveryCodeRecord>({
  user_id: text,
  created_at: instant,
  consumed_at: nullable(instant),
  reserved_by: nullable(text),
  reserved_until: nullable(instant),
})

/** Recovery codes, by the user and the HMAC of the code. */
export const recoveryCodeCollection: TypedCollection<RecoveryCodeRecord> = defineCollection({
  name: 'auth_recovery_codes',
  fields: { user_id: 'text' },
  check: recoveryCodeCheck,
})
