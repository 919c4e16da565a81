import { createRecentMap } from '../async/recent-map.ts'
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

/** The content of a record; without a value there is no record. */
export interface Content<T> {
  readonly value: T | undefined
  /** When the record expires (default never). From then on it counts as absent. */
  readonly expiresAt?: Instant | undefined
}

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
 * Decides on the value of a record (`undefined` if there is none) and on its expiry. Must be pure: it is called again when it
 * turns out that another process has changed the record.
 */
export type Decide<T, A> = (value: T | undefined, expiresAt: Instant | undefined) => Decision<T, A>

/** Decides on several records at once, in the order of their ids. Must be pure, like {@link Decide}. */
export type DecideTogether<T, A> = (contents: readonly Content<T>[]) => {
  /** The new contents, in the same order. */
  readonly contents: readonly Content<T>[]
  readonly answer: A
}

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

/** A record as this process knows it. */
interface Known<T> {
  readonly content: Content<T>
  readonly version: Version | 'absent'
  /** Another process has changed it lately, so a decision on this content would probably fail. */
  readonly isShared: boolean
}

/** A waiting call. */
interface Waiting<T> {
  readonly ids: readonly string[]
  /** Runs the decision on the current contents and changes them. */
  decide(contents: Map<string, Content<T>>): void
  /** Settles the call with the result of the last decision. */
  settle(): void
  reject(error: unknown): void
}

/** Calls that are decided together, because each shares a record with another. */
interface Batch<T> {
  readonly calls: Waiting<T>[]
  readonly ids: Set<string>
}

/** How many records are remembered at least. */
const mostRemembered = 5_000

const none: Content<never> = { value: undefined }
const absent: Known<never> = { content: none, version: 'absent', isShared: false }

const isSame = <T>(one: Content<T>, other: Content<T>): boolean =>
  one.value === other.value && one.expiresAt === other.expiresAt

const decisionQueueFull = (collection: string, id: string, limit: number): GatehouseError =>
  new GatehouseError(
    'ServiceUnavailable',
    'DecisionQueueFull',
    `${limit} decisions wait for the record "${id}" of ${collection}`,
    { info: { collection, id, limit } },
  )

/** @param contentAfter computes the new content from a decision that changes something. */
function createWaiting<T, A>(
  ids: readonly string[],
  decide: DecideTogether<T, A>,
  contentAfter: (id: string, decided: Content<T>) => Content<T>,
  caller: { resolve: (answer: A) => void; reject: (error: unknown) => void },
): Waiting<T> {
  let settle = (): void => {}
  return {
    ids,
    decide(all) {
      try {
        const before = ids.map((id) => all.get(id) ?? none)
        const { contents, answer } = decide(before)
        const after = ids.map((id, index) => {
          const [old = none, decided = none] = [before[index], contents[index]]
          return isSame(decided, old) ? old : contentAfter(id, decided)
        })
        for (const [index, id] of ids.entries()) all.set(id, after[index] ?? none)
        settle = () => caller.resolve(answer)
      } catch (error) {
        settle = () => caller.reject(error)
      }
    },
    settle: () => settle(),
    reject: caller.reject,
  }
}

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
  const memory = createRecentMap<Known<T>>(mostRemembered)
  /** The calls that wait for a batch, in their order. */
  let line: Waiting<T>[] = []
  /** The records that a batch is deciding. */
  const busy = new Set<string>()
  /** How many calls wait for each record, including those being decided. */
  const counts = new Map<string, number>()
  let waiting = 0
  let isBeginning = false

  const isOver = ({ expiresAt }: Content<T>): boolean =>
    expiresAt !== undefined && expiresAt <= clock.now()

  const writeOf = (
    id: string,
    { value, expiresAt }: Content<T>,
    version: Known<T>['version'],
  ): Write => {
    if (value === undefined) {
      return version === 'absent'
        ? { collection, id, check: version }
        : collection.remove(id, version)
    }
    const expiry = expiresAt === undefined ? {} : { expiresAt }
    return collection.write(id, value, { if: version, ...expiry })
  }

  /** The content after a decision. Checks the write here, so that only this call gets the error. */
  const contentAfter = (id: string, { value, expiresAt }: Content<T>): Content<T> => {
    if (value === undefined) return none
    checkWrites([writeOf(id, { value, expiresAt }, 'absent')])
    const content = { value, expiresAt }
    return isOver(content) ? none : content
  }

  /** The records as this process left them; `undefined` if another process seems to use one of them too. */
  const recall = (ids: Iterable<string>): Map<string, Known<T>> | undefined => {
    const found = new Map<string, Known<T>>()
    for (const id of ids) {
      const known = memory.get(id) ?? absent
      if (known.isShared) return undefined
      found.set(id, isOver(known.content) ? absent : known)
    }
    return found
  }

  const read = async (ids: readonly string[]): Promise<Map<string, Known<T>>> => {
    const records = await collection.getAll(storage, ids)
    const found = new Map<string, Known<T>>()
    for (const [index, id] of ids.entries()) {
      const record = records[index]
      const version = record?.version ?? 'absent'
      const before = memory.get(id)
      const expected = before === undefined || isOver(before.content) ? 'absent' : before.version
      const content =
        record === undefined ? none : { value: record.value, expiresAt: record.expiresAt }
      const known = { content, version, isShared: before !== undefined && version !== expected }
      memory.set(id, known)
      found.set(id, known)
    }
    return found
  }

  /**
   * Decides on the contents of `before`, and stores the decisions unless they change nothing. The commit checks the records that
   * stay the same.
   *
   * @returns whether there was something to store.
   */
  const decideOn = async ({ calls }: Batch<T>, before: Map<string, Known<T>>): Promise<boolean> => {
    const contents = new Map(Array.from(before, ([id, { content }]) => [id, content]))
    for (const call of calls) call.decide(contents)
    const ids = [...before.keys()]
    let isChanged = false
    const writes = Array.from(before, ([id, { content, version }]): Write => {
      const after = contents.get(id) ?? none
      if (isSame(after, content)) return { collection, id, check: version }
      isChanged = true
      return writeOf(id, after, version)
    })
    if (!isChanged) return false
    const versions = await storage.commit(writes)
    for (const [index, id] of ids.entries()) {
      const content = contents.get(id) ?? none
      const isLeft = writes[index] !== undefined && 'check' in writes[index]
      const version = isLeft ? before.get(id)?.version : versions[index]
      memory.set(id, {
        content,
        version: content.value === undefined ? 'absent' : (version ?? 'absent'),
        isShared: before.get(id)?.isShared ?? false,
      })
    }
    return true
  }

  const decideAll = (batch: Batch<T>): Promise<void> => {
    let recalled = recall(batch.ids)
    const attempt = async (): Promise<void> => {
      const guess = recalled
      recalled = undefined
      // A decision that changes nothing has no commit that would check the guess.
      if (guess !== undefined && (await decideOn(batch, guess))) return
      await decideOn(batch, await read([...batch.ids]))
    }
    return retryOnConflict(attempt, retry)
  }

  const serve = async (batch: Batch<T>): Promise<void> => {
    for (const id of batch.ids) busy.add(id)
    const settle = await decideAll(batch).then(
      () => (one: Waiting<T>) => one.settle(),
      (error: unknown) => (one: Waiting<T>) => one.reject(error),
    )
    for (const id of batch.ids) busy.delete(id)
    for (const { ids } of batch.calls) {
      waiting--
      for (const id of ids) leave(id)
    }
    begin()
    for (const one of batch.calls) settle(one)
  }

  const leave = (id: string): void => {
    const count = (counts.get(id) ?? 0) - 1
    if (count === 0) counts.delete(id)
    else counts.set(id, count)
  }

  /** Starts a batch for the calls whose records no batch decides on, nor an earlier call waits for. */
  const begin = (): void => {
    isBeginning = false
    if (line.length === 0) return
    const held = new Set(busy)
    const batches = new Map<string, Batch<T>>()
    line = line.filter((call) => {
      const isHeld = call.ids.some((id) => held.has(id))
      if (isHeld) for (const id of call.ids) held.add(id)
      else join(call, batches)
      return isHeld
    })
    for (const batch of new Set(batches.values())) void serve(batch)
  }

  const decideTogether: DecisionQueue<T>['decideTogether'] = (ids, decide) =>
    new Promise((resolve, reject) => {
      const full = ids.find((id) => (counts.get(id) ?? 0) >= limit)
      if (full !== undefined) throw decisionQueueFull(collection.name, full, limit)
      for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
      waiting++
      line.push(createWaiting(ids, decide, contentAfter, { resolve, reject }))
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
      return waiting
    },
  }
}

/** Adds a call to the batch of its records, which unites batches that had no record in common before. */
function join<T>(call: Waiting<T>, batches: Map<string, Batch<T>>): void {
  const joined = new Set(call.ids.flatMap((id) => batches.get(id) ?? []))
  const [batch = { calls: [], ids: new Set<string>() }, ...others] = joined
  for (const { calls, ids } of others) {
    batch.calls.push(...calls)
    for (const id of ids) batch.ids.add(id)
  }
  batch.calls.push(call)
  for (const id of call.ids) batch.ids.add(id)
  for (const id of others.length === 0 ? call.ids : batch.ids) batches.set(id, batch)
}
