import { storageClosed } from '@gatehouse/core/store'
import {
  isConnectionUseless,
  isSerializationFailure,
  tooManyWait,
  toStorageError,
} from './errors.ts'

/** Options of {@link Operations.run}. */
export interface OperationOptions {
  /** Whether the operation may be repeated after its connection was lost (default no). */
  repeatable?: () => boolean
}

/** Runs the operations of a storage: limits their number, repeats them where possible, and converts their errors. */
export interface Operations {
  /** Whether an operation may be answered from memory now, without {@link Operations.run}. */
  mayAnswer(): boolean
  /**
   * @throws {GatehouseError} `StorageClosed`, or `StorageUnavailable` if too many operations are pending or the database cannot
   * be reached.
   */
  run<T>(work: () => Promise<T>, options?: OperationOptions): Promise<T>
  /** Refuses further operations, and waits for pending ones. */
  close(): Promise<void>
}

/** Attempts at an operation that collides with other transactions. The pause grows with each. */
const maxCollisions = 20
/** Attempts on broken connections. After a restart of the database a pool may hold several. */
const maxLosses = 3

/**
 * Answers from memory never leave the current turn of the event loop, so a caller in a loop would starve the network. Therefore
 * one of this many operations waits for the next turn.
 */
const operationsPerTurn = 1_024

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Creates {@link Operations} with at most `limit` pending ones. */
export function createOperations({ limit }: { limit: number }): Operations {
  const running = new Set<Promise<unknown>>()
  let isClosed = false
  /** How many operations may still be answered before one waits. Below 1, the next one waits. */
  let left = operationsPerTurn

  const attempt = async <T>(work: () => Promise<T>, repeatable: () => boolean): Promise<T> => {
    let collisions = 0
    let losses = 0
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (isSerializationFailure(error) && ++collisions < maxCollisions) {
          await sleep(Math.random() * Math.min(100, 2 ** collisions))
          continue
        }
        if (isConnectionUseless(error) && repeatable() && ++losses < maxLosses) continue
        throw toStorageError(error)
      }
    }
  }

  return {
    mayAnswer: () => --left > 0 && !isClosed,

    async run<T>(work: () => Promise<T>, { repeatable = () => false }: OperationOptions = {}) {
      if (isClosed) throw storageClosed()
      if (running.size >= limit) throw tooManyWait(limit)
      const operation: Promise<T> = attempt(work, repeatable).finally(() => {
        running.delete(operation)
      })
      running.add(operation)
      if (--left > 0) return operation
      left = operationsPerTurn
      // Await both: if the operation fails during the turn, its rejection must be handled.
      await Promise.allSettled([operation, nextTurn()])
      return operation
    },

    async close() {
      isClosed = true
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}
