import { atEndOfTurn } from '../async/end-of-turn.ts'
import { isGatehouseError } from '../errors.ts'
import type { Storage, Version, Write } from './storage.ts'

/** Options of {@link commitTogether}. */
export interface CommitTogetherOptions {
  storage: Storage
  /** The most writes that share a commit, so that no call waits long (default 500). */
  limit?: number
}

/** Commits writes atomically. It resolves and rejects like {@link Storage.commit}, independently of the writes of other calls. */
export type CommitTogether = (writes: readonly Write[]) => Promise<readonly Version[]>

/** Writes that succeed or fail together. */
interface Unit {
  readonly writes: readonly Write[]
  readonly resolve: (versions: readonly Version[]) => void
  readonly reject: (error: unknown) => void
}

/**
 * Batches commits. Calls made in one turn of the event loop share a commit; calls made during a commit share the next one. The
 * writes of each call are one unit, and units keep the order of the calls. A unit that fails does not affect the others.
 */
export function commitTogether({ storage, limit = 500 }: CommitTogetherOptions): CommitTogether {
  let waiting: Unit[] = []
  let isServing = false

  const serve = async (): Promise<void> => {
    while (waiting.length > 0) {
      const [units, rest] = takeBatch(waiting, limit)
      waiting = rest
      await commitAll(storage, units)
    }
    isServing = false
  }

  return (writes) =>
    new Promise((resolve, reject) => {
      waiting.push({ writes, resolve, reject })
      if (isServing) return
      isServing = true
      atEndOfTurn(() => void serve())
    })
}

/** The expectation of a check; `undefined` for a write. */
const checkOf = (write: Write): string | undefined => ('check' in write ? write.check : undefined)

const keyOf = ({ collection, id }: Write): string => `${collection.name} ${id}`

/**
 * Splits the queue into the first units that fit into one commit, and the rest. A commit may name a record only once, except in
 * identical checks.
 */
function takeBatch(waiting: Unit[], limit: number): [batch: readonly Unit[], rest: Unit[]] {
  const named = new Map<string, string | undefined>()
  let size = 0
  const mayJoin = (write: Write): boolean => {
    const key = keyOf(write)
    const check = checkOf(write)
    return !named.has(key) || (check !== undefined && named.get(key) === check)
  }
  const end = waiting.findIndex(({ writes }, index) => {
    size += writes.length
    const fits = index === 0 || (size <= limit && writes.every(mayJoin))
    for (const write of writes) named.set(keyOf(write), checkOf(write))
    return !fits
  })
  return end === -1 ? [waiting, []] : [waiting.slice(0, end), waiting.slice(end)]
}

/** Joins the writes of several units, each check once, and maps the versions back to the units. A check has no version. */
function join(units: readonly Unit[]): {
  readonly writes: readonly Write[]
  answer(versions: readonly Version[]): void
} {
  const writes: Write[] = []
  const checked = new Set<string>()
  const places = units.map((unit) =>
    unit.writes.map((write) => {
      if ('check' in write) {
        const key = keyOf(write)
        if (checked.has(key)) return -1
        checked.add(key)
      }
      return writes.push(write) - 1
    }),
  )
  return {
    writes,
    answer(versions) {
      for (const [index, { resolve }] of units.entries()) {
        resolve((places[index] ?? []).map((place) => versions[place] ?? ''))
      }
    },
  }
}

async function commitAll(storage: Storage, units: readonly Unit[]): Promise<void> {
  const [first, ...others] = units
  if (first === undefined) return
  if (others.length === 0) return commitAlone(storage, first)
  const { writes, answer } = join(units)
  try {
    answer(await storage.commit(writes))
  } catch (error) {
    if (!isOfOneUnit(error)) {
      for (const { reject } of units) reject(error)
      return
    }
    for (const unit of units) await commitAlone(storage, unit)
  }
}

async function commitAlone(storage: Storage, { writes, resolve, reject }: Unit): Promise<void> {
  try {
    resolve(await storage.commit(writes))
  } catch (error) {
    reject(error)
  }
}

/** Whether one of the units caused the failure. Otherwise the storage is down. */
const isOfOneUnit = (error: unknown): boolean =>
  !(isGatehouseError(error) && error.kind === 'ServiceUnavailable')
