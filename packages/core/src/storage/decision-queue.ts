import { GatehouseError } from '../errors.ts'
import type { Clock, Instant } from '../time/clock.ts'
import type { TypedCollection } from './collection.ts'
import {
  type RetryOptions,
  retryOnConflict,
  type Storage,
  type Version,
  type Write,
} from './storage.ts'
import { checkWrites } from './storage-input.ts'

/** The result of a {@link Decide}. */
export interface Decision<T, A> {
  /** The new value of the record; `undefined` removes it. If value and expiry are unchanged, nothing is written. */
  readonly value: T | undefined
  /** When the record expires (default never, whatever it was before). From then on it counts as absent. */
  readonly expiresAt?: Instant | undefined
  /** The answer for the caller, returned once the decision is stored. */
  readonly answer: A
}

/**
 * Decides on the value of a record (`undefined` if there is none) and on its expiry. Must be pure: it is called again when
 * another process was faster.
 */
export type Decide<T, A> = (value: T | undefined, expiresAt: Instant | undefined) => Decision<T, A>

/** Lets concurrent calls for one record share its reads and commits. */
export interface DecisionQueue<T> {
  /**
   * Decides on the record `id` and stores the decision. Decisions on one record run in the order of the calls, each on the result
   * of the previous one. All calls that wait together take one read and one commit.
   *
   * @returns the answer of the stored decision.
   * @throws the error of `decide`; the other calls are not affected.
   * @throws {TypeError} if the storage cannot hold the decision; the other calls are not affected.
   * @throws {GatehouseError} `DecisionQueueFull` if too many calls wait for this record; the rejection of the storage, for all
   * calls of a batch, such as the last `StorageConflict` when other processes were faster every time.
   */
  decide<A>(id: string, decide: Decide<T, A>): Promise<A>
  /** How many calls wait, for all records together. */
  readonly waiting: number
}

/** Options of {@link createDecisionQueue}. */
export interface DecisionQueueOptions<T> {
  storage: Storage
  collection: TypedCollection<T>
  clock: Clock
  /** How many calls may wait for one record (default 1,000). */
  limit?: number
  /** How to retry after commits of other processes (default 100 attempts). */
  retry?: RetryOptions
}

/** The content of a record. */
interface State<T> {
  readonly value: T | undefined
  readonly expiresAt: Instant | undefined
}

/** A waiting call. */
interface Waiting<T> {
  /** Runs the decision on the current state and returns the new one. */
  decide(state: State<T>): State<T>
  /** Settles the call with the result of the last decision. */
  settle(): void
  reject(error: unknown): void
}

const none: State<never> = { value: undefined, expiresAt: undefined }

const isSame = <T>(one: State<T>, other: State<T>): boolean =>
  one.value === other.value && one.expiresAt === other.expiresAt

const decisionQueueFull = (collection: string, id: string, limit: number): GatehouseError =>
  new GatehouseError(
    'ServiceUnavailable',
    'DecisionQueueFull',
    `${limit} decisions wait for the record "${id}" of ${collection}`,
    { info: { collection, id, limit } },
  )

/** @param stateAfter computes the new state from a decision that changes something. */
function createWaiting<T, A>(
  decide: Decide<T, A>,
  stateAfter: (decided: State<T>) => State<T>,
  caller: { resolve: (answer: A) => void; reject: (error: unknown) => void },
): Waiting<T> {
  let settle = (): void => {}
  return {
    decide(state) {
      try {
        const { value, expiresAt, answer } = decide(state.value, state.expiresAt)
        const decided = { value, expiresAt }
        const left = isSame(decided, state) ? state : stateAfter(decided)
        settle = () => caller.resolve(answer)
        return left
      } catch (error) {
        settle = () => caller.reject(error)
        return state
      }
    },
    settle: () => settle(),
    reject: caller.reject,
  }
}

/**
 * Creates a {@link DecisionQueue} for records that many requests of one process want at once, such as counters, whose separate
 * commits would collide. Idle records use no memory.
 *
 * @throws {RangeError} if `limit` is not a whole number of at least 1.
 */
export function createDecisionQueue<T>(options: DecisionQueueOptions<T>): DecisionQueue<T> {
  const { storage, collection, clock, limit = 1_000 } = options
  const retry = { attempts: 100, ...options.retry }
  if (!Number.isInteger(limit) || limit < 1) {
    throw new RangeError(`limit must be a whole number of at least 1, got ${limit}`)
  }
  /** The calls waiting for each record, by id. The first of them are being decided. */
  const lines = new Map<string, Waiting<T>[]>()
  let waiting = 0

  const writeOf = (id: string, { value, expiresAt }: State<T>, version?: Version): Write => {
    if (value === undefined) return collection.remove(id, version)
    const expiry = expiresAt === undefined ? {} : { expiresAt }
    return collection.write(id, value, { if: version ?? 'absent', ...expiry })
  }

  /** The state after a decision. Checks the write here, so that only this call gets the error. */
  const stateAfter = (id: string, { value, expiresAt }: State<T>): State<T> => {
    if (value === undefined) return none
    checkWrites([writeOf(id, { value, expiresAt })])
    return expiresAt !== undefined && expiresAt <= clock.now() ? none : { value, expiresAt }
  }

  const decideAll = async (id: string, batch: readonly Waiting<T>[]): Promise<void> => {
    const record = await collection.get(storage, id)
    const before = { value: record?.value, expiresAt: record?.expiresAt }
    const after = batch.reduce<State<T>>((state, one) => one.decide(state), before)
    if (isSame(after, before)) return
    await storage.commit([writeOf(id, after, record?.version)])
  }

  const serve = async (id: string, line: Waiting<T>[]): Promise<void> => {
    await undefined // lets all calls made in this turn join the first batch
    while (line.length > 0) {
      let batch: readonly Waiting<T>[] = []
      const attempt = (): Promise<void> => {
        batch = [...line]
        return decideAll(id, batch)
      }
      const settle = await retryOnConflict(attempt, retry).then(
        () => (one: Waiting<T>) => one.settle(),
        (error: unknown) => (one: Waiting<T>) => one.reject(error),
      )
      line.splice(0, batch.length)
      waiting -= batch.length
      for (const one of batch) settle(one)
    }
    lines.delete(id)
  }

  return {
    decide<A>(id: string, decide: Decide<T, A>) {
      return new Promise<A>((resolve, reject) => {
        const line = lines.get(id) ?? []
        if (line.length >= limit) throw decisionQueueFull(collection.name, id, limit)
        const after = (state: State<T>): State<T> => stateAfter(id, state)
        line.push(createWaiting(decide, after, { resolve, reject }))
        waiting++
        if (line.length > 1) return
        lines.set(id, line)
        void serve(id, line)
      })
    },
    get waiting() {
      return waiting
    },
  }
}
