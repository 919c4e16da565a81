import { atEndOfTurn } from '../async/end-of-turn.ts'
import { isGatehouseError } from '../errors.ts'
import type { Storage, Version, Write } from './storage.ts'

/** Options of {@link commitTogether}. */
export interface CommitTogetherOptions {
  storage: Storage
  /** How many writes share a commit at most, so that no other waits long (default 500). */
  limit?: number
}

/**
 * Commits writes that belong together; see {@link Storage.commit} for what it answers and what it rejects with, whatever
 * becomes of the writes of others.
 */
export type CommitTogether = (writes: readonly Write[]) => Promise<readonly Version[]>

/** Writes that are made all or none. */
interface Unit {
  readonly writes: readonly Write[]
  readonly resolve: (versions: readonly Version[]) => void
  readonly reject: (error: unknown) => void
}

/**
 * Lets those who commit in one turn of the event loop share a commit, and those who come while one is made the next.
 * Writes are made in the order of the calls, as one unit for each call. A unit that cannot be made keeps no other from
 * being made.
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

/** What a check of a record asks for; `undefined` for a write. */
const checkOf = (write: Write): string | undefined => ('check' in write ? write.check : undefined)

const keyOf = ({ collection, id }: Write): string => `${collection.name} ${id}`

/** The first units that fit into one commit, and those that are left: a commit names no record twice, but for the same check. */
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

/** All writes of some units, each check once, and whose versions are whose: a check has none. */
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

/** Whether nothing was written because of one of the units, and not because the storage is away. */
const isOfOneUnit = (error: unknown): boolean =>
  !(isGatehouseError(error) && error.kind === 'ServiceUnavailable')
