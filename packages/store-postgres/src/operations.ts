import { storageClosed } from '@gatehouse/core'
import {
  isConnectionUseless,
  isSerializationFailure,
  tooManyWait,
  toStorageError,
} from './errors.ts'

/** How an operation may be repeated. */
export interface OperationOptions {
  /** Whether it may be made anew after the connection was lost on the way (default no). */
  repeatable?: () => boolean
}

/** Runs what the storage does: counts it, repeats what may be repeated, and turns failures into those of a Storage. */
export interface Operations {
  /** Whether something may be answered from memory now, without {@link Operations.run}. */
  mayAnswer(): boolean
  /**
   * @throws {GatehouseError} `StorageClosed`, `StorageUnavailable` if too many wait or the database cannot be reached.
   */
  run<T>(work: () => Promise<T>, options?: OperationOptions): Promise<T>
  /** Lets nothing begin any more, and waits for what has begun. */
  close(): Promise<void>
}

/** Attempts at what met another transaction; each waits a little longer than the one before. */
const maxCollisions = 20
/** Attempts on connections that turn out to be gone: after a restart of the database a pool may hold several. */
const maxLosses = 3

/**
 * What is answered from memory never leaves this turn of the event loop: whoever asks in a loop would keep all others
 * from the network. So one in so many waits for the next turn.
 */
const operationsPerTurn = 1_024

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** {@link Operations} of which at most `limit` are under way. */
export function createOperations({ limit }: { limit: number }): Operations {
  const running = new Set<Promise<unknown>>()
  let isClosed = false
  /** How many may still be answered before one waits; below 1, the next one does. */
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
      // Not the turn alone: an operation that fails meanwhile must find somebody who waits for it.
      await Promise.allSettled([operation, nextTurn()])
      return operation
    },

    async close() {
      isClosed = true
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}
