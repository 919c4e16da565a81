import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import { instant, objectOf, type RecordCheck, text } from '../../storage/record-check.ts'
import type { Instant } from '../../time/clock.ts'

/** An earlier password. */
export interface PasswordHistoryRecord {
  readonly user_id: string
  readonly hash: string
  readonly created_at: Instant
}

/** Checks a stored earlier password. */
const passwordHistoryCheck: RecordCheck = objectOf<PasswordHistoryRecord>({
  user_id: text,
  hash: text,
  created_at: instant,
})

/** Earlier passwords. */
export const passwordHistoryCollection: TypedCollection<PasswordHistoryRecord> = defineCollection({
  name: 'auth_password_history',
  fields: { user_id: 'text' },
  check: passwordHistoryCheck,
})
