import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import { mapOf, number, objectOf, type RecordCheck } from '../../storage/record-check.ts'
import type { Instant } from '../../time/clock.ts'

/** Failed attempts on an account, and the locks they caused. */
export interface LockoutRecord {
  readonly total: number
  /** By address. */
  readonly attempts: { readonly [ip: string]: number }
  /** The ends of the locks: under `''` for all addresses, otherwise by address. */
  readonly locked_until: { readonly [ip: string]: Instant }
}

/** Checks the stored failed attempts of a user. */
const lockoutCheck: RecordCheck = objectOf<LockoutRecord>({
  total: number,
  attempts: mapOf(number),
  locked_until: mapOf(number),
})

/** Failed attempts of users, by the user's id. */
export const lockoutCollection: TypedCollection<LockoutRecord> = defineCollection({
  name: 'auth_lockouts',
  check: lockoutCheck,
})
