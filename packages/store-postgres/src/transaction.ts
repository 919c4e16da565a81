import {
  type Clock,
  checkQuery,
  checkWrites,
  GatehouseError,
  storageClosed,
  type TransactionStorage,
  type Version,
  type Write,
} from '@gatehouse/core/store'
import { withParts, writeWithin, writtenVersions } from './commit.ts'
import type { Queryable, Row } from './database.ts'
import { isUnsupported, sqlState, toStorageError } from './errors.ts'
import type { OpenedCollections } from './opened-collections.ts'

/** A connection on which the app has begun a transaction, by its shape: a client of `pg`, the transaction of a `PGlite`. */
export interface PostgresTransactionClient {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

/** A transaction of the package `postgres`, by its shape: the argument of the function given to `sql.begin()`. */
export interface PostgresTransactionSql {
  unsafe(text: string, values?: never[]): PromiseLike<readonly unknown[]>
}

/** A connection on which the app has begun a transaction. */
export type PostgresTransaction = PostgresTransactionClient | PostgresTransactionSql

/** Options of {@link createTransactionStorage}. */
export interface TransactionStorageOptions {
  client: PostgresTransaction
  clock: Clock
  isExclusive: boolean
  nextVersion: () => Version
  /** The collections, opened in the transaction if `isExclusive`. */
  collections: (on: Transaction) => Pick<OpenedCollections, 'use'>
  /** The channel for the news that a collection with a feed has changed; `undefined` if the database has none. */
  channel: string | undefined
}

/** A transaction of the app, in which savepoints take the place of transactions. */
export interface Transaction extends Queryable {
  /** Runs `work` between savepoints. If it throws, what it wrote is undone, and the transaction can go on. */
  transaction<T>(work: (savepoint: Queryable) => Promise<T>): Promise<T>
}

const savepoint = 'gatehouse'

/** The sender of news from a transaction: not the storage's own name, because its memory does not have the changes either. */
const sender = 'transaction'

/** The end of the last call on each connection. Calls take turns, or their savepoints would cross. */
const turns = new WeakMap<object, Promise<unknown>>()

/**
 * Creates the storage within a transaction.
 *
 * It takes no lock on the counters of change feeds: that would stop the views of all processes until the app commits. It leaves
 * its changes to the next commit or reader to number, who sees them only then.
 */
export function createTransactionStorage(options: TransactionStorageOptions): TransactionStorage {
  const { client, clock, isExclusive, nextVersion } = options
  const transaction = transactionOn(client)
  const collections = options.collections(transaction)
  let { channel } = options
  let begun: unknown
  let isClosed = false

  /** @throws {GatehouseError} `TransactionOver` if the transaction in which the storage was first used is over. */
  const checkBegun = async (): Promise<void> => {
    // No two transactions of a connection begin at the same microsecond.
    const [row] = await transaction.query('SELECT transaction_timestamp()::text AS began')
    if (begun === undefined) {
      await transaction.transaction(async () => {})
      begun = row?.began
    }
    if (row?.began !== begun) throw transactionOver()
  }

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const run = async (): Promise<T> => {
      if (isClosed) throw storageClosed()
      try {
        await checkBegun()
        return await work()
      } catch (error) {
        throw toTransactionError(error)
      }
    }
    const mine = (turns.get(client) ?? Promise.resolve()).then(run)
    turns.set(
      client,
      mine.catch(() => undefined),
    )
    return mine
  }

  const publish = async (names: readonly string[]): Promise<void> => {
    if (channel === undefined || names.length === 0) return
    const values = [channel, [sender, ...names].join(' ')]
    try {
      // Delivered when the app commits.
      await transaction.transaction((on) =>
        on.query('SELECT pg_notify($1::text, $2::text)', values),
      )
    } catch (error) {
      if (!isUnsupported(error)) throw error
      channel = undefined
    }
  }

  const commit = async (writes: readonly Write[]): Promise<readonly Version[]> => {
    checkWrites(writes)
    if (writes.length === 0) return []
    return withParts(writes, collections, async (parts) => {
      const version = nextVersion()
      const changed = await transaction.transaction((on) =>
        writeWithin(on, { parts, version, now: clock.now() }),
      )
      await publish(changed)
      return writtenVersions(writes, version)
    })
  }

  return {
    isExclusive,

    get: (collection, ids) =>
      inTurn(() =>
        collections.use([collection], async ([opened]) =>
          opened === undefined ? [] : opened.table.get(transaction, ids, clock.now()),
        ),
      ),

    find: (collection, query) =>
      inTurn(() =>
        collections.use([collection], async ([opened]) =>
          opened === undefined
            ? []
            : opened.table.find(transaction, checkQuery(collection, query), clock.now()),
        ),
      ),

    commit: (writes) => inTurn(() => commit(writes)),

    async changes({ name }) {
      throw new TypeError(
        `the changes of ${name} cannot be followed within a transaction, which has no place among them yet`,
      )
    },

    async close() {
      isClosed = true
      await turns.get(client)
    },
  }
}

function transactionOn(client: PostgresTransaction): Transaction {
  const query = async (text: string, values: readonly unknown[] = []): Promise<readonly Row[]> => {
    if (!('query' in client)) return [...(await client.unsafe(text, values as never[]))] as Row[]
    const { rows } = await (values.length === 0
      ? client.query(text)
      : client.query(text, [...values]))
    return rows as Row[]
  }
  return {
    query,
    async transaction(work) {
      await query(`SAVEPOINT ${savepoint}`)
      try {
        const result = await work({ query })
        await query(`RELEASE SAVEPOINT ${savepoint}`)
        return result
      } catch (error) {
        await undo(query)
        throw error
      }
    },
  }
}

/** If the connection is lost, the first error says so. */
async function undo(query: Queryable['query']): Promise<void> {
  try {
    await query(`ROLLBACK TO SAVEPOINT ${savepoint}`)
    await query(`RELEASE SAVEPOINT ${savepoint}`)
  } catch {
    // The next statement of the app fails, too.
  }
}

const transactionError = (reason: string, message: string, cause?: unknown): GatehouseError =>
  new GatehouseError('ServiceUnavailable', reason, message, { cause })

/** The transaction was committed or rolled back, or its connection is in another one. */
const transactionOver = (): GatehouseError =>
  transactionError(
    'TransactionOver',
    'the transaction of this storage is over: call storage.within() for each transaction',
  )

/** Converts an error of a statement within a transaction. */
function toTransactionError(error: unknown): unknown {
  const state = sqlState(error)
  switch (state) {
    case '25P01':
      return transactionError(
        'NotInTransaction',
        'the client of storage.within() is not in a transaction: run BEGIN first',
        error,
      )
    case '25P02':
      return transactionError(
        'TransactionFailed',
        'a statement of the transaction has failed: roll the transaction back',
        error,
      )
    case '40001':
    case '40P01':
      return transactionError(
        'TransactionCollision',
        'the transaction collided with another one: roll it back and repeat it as a whole',
        error,
      )
    default:
      return toStorageError(error)
  }
}
