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

/** What a {@link Decide} comes to. */
export interface Decision<T, A> {
  /** What the record shall hold, `undefined` if there shall be none. Left as it was given, with its expiry, nothing is written. */
  readonly value: T | undefined
  /** From this instant on the record counts as absent (default never, whatever it was before). */
  readonly expiresAt?: Instant | undefined
  /** For the caller, once what was decided is stored. */
  readonly answer: A
}

/**
 * Decides on the value of a record, `undefined` if there is none, and when it expires. Pure: it is called
 * again when another process was faster.
 */
export type Decide<T, A> = (value: T | undefined, expiresAt: Instant | undefined) => Decision<T, A>

/** Lets the many who want one record at once share its reads and commits. */
export interface DecisionQueue<T> {
  /**
   * Decides on the record `id` and stores what was decided. Decisions on one record are made in the order of
   * the calls, each on what the one before it left; all that wait together take one read and one commit.
   *
   * @returns the answer of the decision that was stored.
   * @throws whatever `decide` throws: then the others go on as if it had not been there.
   * @throws {TypeError} if the storage cannot hold what was decided; the others go on likewise.
   * @throws {GatehouseError} `DecisionQueueFull` if too many wait for this record; whatever the storage
   *   rejects with, for all who waited together, such as the last `StorageConflict` when other processes were faster every time.
   */
  decide<A>(id: string, decide: Decide<T, A>): Promise<A>
  /** How many decisions wait, for all records together. */
  readonly waiting: number
}

/** Options of {@link createDecisionQueue}. */
export interface DecisionQueueOptions<T> {
  storage: Storage
  collection: TypedCollection<T>
  clock: Clock
  /** How many may wait for one record (default 1,000). */
  limit?: number
  /** How the commits of other processes are met (default 100 attempts). */
  retry?: RetryOptions
}

/** What a record holds. */
interface State<T> {
  readonly value: T | undefined
  readonly expiresAt: Instant | undefined
}

/** Somebody who waits. */
interface Waiting<T> {
  /** Decides on what the record holds by then, and answers what it holds afterwards. */
  decide(state: State<T>): State<T>
  /** Tells the caller what the last decision came to. */
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

/** @param stateAfter what the record holds after something other than before was decided. */
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
 * Makes a {@link DecisionQueue} for records that many requests of one process want at once, such as counters:
 * their commits would only be in each other's way. Keeps nothing of records that nobody waits for.
 *
 * @throws {RangeError} if `limit` is not a whole number from 1 on.
 */
export function createDecisionQueue<T>(options: DecisionQueueOptions<T>): DecisionQueue<T> {
  const { storage, collection, clock, limit = 1_000 } = options
  const retry = { attempts: 100, ...options.retry }
  if (!Number.isInteger(limit) || limit < 1) {
    throw new RangeError(`limit must be a whole number from 1 on, got ${limit}`)
  }
  /** Who waits for a record, by its id; the first of them are being decided on. */
  const lines = new Map<string, Waiting<T>[]>()
  let waiting = 0

  const writeOf = (id: string, { value, expiresAt }: State<T>, version?: Version): Write => {
    if (value === undefined) return collection.remove(id, version)
    const expiry = expiresAt === undefined ? {} : { expiresAt }
    return collection.write(id, value, { if: version ?? 'absent', ...expiry })
  }

  /** What a decision leaves. Refuses here what the storage would refuse, as only this caller shall hear of it. */
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
    await undefined // so that all who ask in this moment are in the first batch
    while (line.length > 0) {
      let batch: readonly Waiting<T>[] = []
      const attempt = (): Promise<void> => {
        batch = [...line]
        return decideAll(id, batch)
      }
      const tell = await retryOnConflict(attempt, retry).then(
        () => (one: Waiting<T>) => one.settle(),
        (error: unknown) => (one: Waiting<T>) => one.reject(error),
      )
      line.splice(0, batch.length)
      waiting -= batch.length
      for (const one of batch) tell(one)
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
