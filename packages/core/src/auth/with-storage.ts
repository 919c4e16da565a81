import { decodeInput, having } from '../input/decode.ts'
import { transactionStoragePort } from '../input/ports.ts'
import type { TransactionStorage } from '../storage/transaction-storage.ts'
import type { AuthContext } from './context.ts'

const service = having<AuthContext>('a service that createAuth() made', 'within', 'answers')

/**
 * The same service within a transaction of the app: what its operations write is stored if the app commits. Cheap, so make one
 * for each transaction. Failed attempts, rate limits and sent codes stay when the app rolls back, unless the database has one
 * connection.
 *
 * It has no routes, and cannot be started or closed.
 *
 * @throws {GatehouseError} `InvalidInput` if the storage is not within a transaction.
 * @example
 * import type { TransactionStorage } from '@gatehouse/core'
 * const createMember = (within: TransactionStorage) =>
 *   createUser(withStorage(auth, within), { email: 'maya@example.com' })
 * @see docs/your-own-tables.md#one-transaction
 */
export function withStorage(auth: AuthContext, storage: TransactionStorage): AuthContext {
  const { within } = decodeInput('auth', service, auth)
  return within(decodeInput('storage', transactionStoragePort, storage))
}
