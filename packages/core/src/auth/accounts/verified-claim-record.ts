import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import {
  instant,
  nullable,
  objectOf,
  oneOf,
  type RecordCheck,
  text,
} from '../../storage/record-check.ts'
import type { Instant } from '../../time/clock.ts'
import type { ClaimName } from './identity-record.ts'

/** A verified address of a user. */
export interface VerifiedClaimRecord {
  readonly user_id: string
  readonly name: ClaimName
  readonly value: string
  readonly channel: 'email' | 'sms' | 'whatsapp' | null
  readonly created_at: Instant
}

/** Checks a stored verified claim. */
const verifiedClaimCheck: RecordCheck = objectOf<VerifiedClaimRecord>({
  user_id: text,
  name: oneOf(['email', 'phone_number', 'preferred_username']),
  value: text,
  channel: nullable(oneOf(['email', 'sms', 'whatsapp'])),
  created_at: instant,
})

/** Verified claims, by user, claim and value. */
export const verifiedClaimCollection: TypedCollection<VerifiedClaimRecord> = defineCollection({
  name: 'auth_verified_claims',
  fields: { user_id: 'text' },
  check: verifiedClaimCheck,
})
