import { GatehouseError } from '../errors.ts'
import type { Clock, Instant } from '../time/clock.ts'
import type { TypedCollection } from './collection.ts'
import { type Content, type Decide, type DecideTogether, none } from './decision.ts'
import { type Batch, createWaiting, takeBatches, type Waiting } from './decision-batch.ts'
import {
  createKnownRecords,
  isOver,
  type KnownById,
  type KnownRecords,
  writeOf,
} from './known-records.ts'
import { type RetryOptions, retryOnConflict, type Storage } from './storage.ts'
import { checkWrites } from './storage-input.ts'

export type { Content, Decide, DecideTogether, Decision } from './decision.ts'

/** Lets concurrent calls for the same records share reads and commits. */
export interface DecisionQueue<T> {
  /**
   * Decides on the record `id` and stores the decision. Decisions on one record run in the order of the calls, each on the result
   * of the previous one. All calls that wait together take at most one read and one commit. A record as this queue last wrote it
   * is not read again: the commit fails if another process has changed it since.
   *
   * @returns the answer of the stored decision.
   * @throws the error of `decide`; the other calls are not affected.
   * @throws {TypeError} if the storage cannot hold the decision; the other calls are not affected.
   * @throws {GatehouseError} `DecisionQueueFull` if too many calls wait for this record; the rejection of the storage, for all
   * calls of a batch, such as the last `StorageConflict` when other processes were faster every time.
   */
  decide<A>(id: string, decide: Decide<T, A>): Promise<A>
  /** The same for several records, which are all different: the decision is stored for all of them or for none. */
  decideTogether<A>(ids: readonly string[], decide: DecideTogether<T, A>): Promise<A>
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

const decisionQueueFull = (collection: string, id: string, limit: number): GatehouseError =>
  new GatehouseError(
    'ServiceUnavailable',
    'DecisionQueueFull',
    `${limit} decisions wait for the record "${id}" of ${collection}`,
    { info: { collection, id, limit } },
  )

/**
 * Creates a {@link DecisionQueue} for records that many requests of one process want at once, such as counters, whose separate
 * commits would collide.
 *
 * @throws {RangeError} if `limit` is not a whole number of at least 1.
 */
export function createDecisionQueue<T>(options: DecisionQueueOptions<T>): DecisionQueue<T> {
  const { storage, collection, clock, limit = 1_000 } = options
  const retry = { attempts: 100, ...options.retry }
  if (!Number.isInteger(limit) || limit < 1) {
    throw new RangeError(`limit must be a whole number of at least 1, got ${limit}`)
  }
  const records = createKnownRecords(storage, collection, clock)
  /** The calls that wait for a batch, in their order. */
  let line: Waiting<T>[] = []
  /** The records that a batch is deciding. */
  const busy = new Set<string>()
  const calls = createCallCounter()
  let isBeginning = false

  const after = (id: string, decided: Content<T>): Content<T> =>
    contentAfter(collection, id, decided, clock.now())

  const serve = async (batch: Batch<T>): Promise<void> => {
    for (const id of batch.ids) busy.add(id)
    const settle = await decideBatch(records, batch, retry).then(
      () => (one: Waiting<T>) => one.settle(),
      (error: unknown) => (one: Waiting<T>) => one.reject(error),
    )
    for (const id of batch.ids) busy.delete(id)
    for (const { ids } of batch.calls) calls.leave(ids)
    begin()
    for (const one of batch.calls) settle(one)
  }

  const begin = (): void => {
    isBeginning = false
    if (line.length === 0) return
    const { batches, left } = takeBatches(line, busy)
    line = left
    for (const batch of batches) void serve(batch)
  }

  const decideTogether: DecisionQueue<T>['decideTogether'] = (ids, decide) =>
    new Promise((resolve, reject) => {
      const full = ids.find((id) => calls.of(id) >= limit)
      if (full !== undefined) throw decisionQueueFull(collection.name, full, limit)
      calls.enter(ids)
      line.push(createWaiting(ids, decide, after, { resolve, reject }))
      if (isBeginning) return
      isBeginning = true
      queueMicrotask(begin) // lets all calls made in this turn join
    })

  return {
    decideTogether,

    decide: (id, decide) =>
      decideTogether([id], ([{ value, expiresAt } = none]) => {
        const { answer, ...content } = decide(value, expiresAt)
        return { contents: [content], answer }
      }),

    get waiting() {
      return calls.all
    },
  }
}

/** The content after a decision. Checks the write here, so that only the call that decided so gets the error. */
function contentAfter<T>(
  collection: TypedCollection<T>,
  id: string,
  { value, expiresAt }: Content<T>,
  now: Instant,
): Content<T> {
  if (value === undefined) return none
  const content = { value, expiresAt }
  checkWrites([writeOf(collection, id, content, 'absent')])
  return isOver(content, now) ? none : content
}

/**
 * Decides on a batch and stores the result: first on its records as this process left them, which takes no read, then on what the
 * storage has.
 */
function decideBatch<T>(
  records: KnownRecords<T>,
  batch: Batch<T>,
  retry: RetryOptions,
): Promise<void> {
  const decideOn = (before: KnownById<T>): Promise<boolean> => {
    const contents = new Map(Array.from(before, ([id, { content }]) => [id, content]))
    for (const call of batch.calls) call.decide(contents)
    return records.store(before, contents)
  }
  let recalled = records.recall(batch.ids)
  return retryOnConflict(async () => {
    const guess = recalled
    recalled = undefined
    // A decision that changes nothing has no commit that would check the guess.
    if (guess !== undefined && (await decideOn(guess))) return
    await decideOn(await records.read([...batch.ids]))
  }, retry)
}

/** Counts the calls that wait for each record, including those being decided. */
function createCallCounter() {
  const counts = new Map<string, number>()
  let all = 0
  return {
    get all(): number {
      return all
    },
    of: (id: string): number => counts.get(id) ?? 0,
    enter(ids: readonly string[]): void {
      all++
      for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
    },
    leave(ids: readonly string[]): void {
      all--
      for (const id of ids) {
        const count = (counts.get(id) ?? 0) - 1
        if (count === 0) counts.delete(id)
        else counts.set(id, count)
      }
    },
  }
}
