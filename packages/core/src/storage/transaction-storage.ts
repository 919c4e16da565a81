import type { Storage } from './storage.ts'

/**
 * A storage within a transaction that the app has begun and will end. What it commits is stored once the app commits. Its {@link
 * Storage.changes} rejects: a change feed has the order of commits, and this transaction has no place in it yet.
 */
export interface TransactionStorage extends Storage {
  /**
   * Whether calls outside of the transaction wait for its end, because the database has one connection. Then even what should
   * survive a rollback, such as counters of failed attempts, is part of the transaction.
   */
  readonly isExclusive: boolean
}
