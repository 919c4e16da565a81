import type { Json } from '@gatehouse/core'
import type { Collection, SnapshotRecord, StorageSnapshot } from '@gatehouse/core/store'
import type { Progress } from '../log/progress.ts'

/** The result of {@link verifySnapshot}. */
export interface Verified {
  readonly records: number
  /** One sentence each. */
  readonly problems: readonly string[]
  /** Collections that this version does not know. */
  readonly unknown: readonly string[]
}

/** Checks everything in a database: the store's own data, and each record. */
export async function verifySnapshot(
  snapshot: StorageSnapshot,
  collections: readonly Collection[],
  progress: Pick<Progress, 'at'>,
): Promise<Verified> {
  const byName = new Map(collections.map((collection) => [collection.name, collection]))
  const problems = [...(await snapshot.findProblems())]
  const unknown = snapshot.collections.filter((name) => !byName.has(name))
  let records = 0
  for (const name of snapshot.collections) {
    const collection = byName.get(name)
    if (collection === undefined) continue
    try {
      for await (const record of snapshot.records(name)) {
        progress.at(++records)
        const problem = recordProblem(collection, record)
        if (problem !== undefined) problems.push(`${name} ${JSON.stringify(record.id)}: ${problem}`)
      }
    } catch (error) {
      problems.push(`${name} cannot be read completely: ${messageOf(error)}`)
    }
  }
  return { records, problems, unknown }
}

/** The problem of a record, as far as its collection can tell. */
export function recordProblem(
  collection: Collection,
  record: Pick<SnapshotRecord, 'id' | 'value' | 'version'>,
): string | undefined {
  const { id, value, version } = record
  if (value === undefined) return 'it is not JSON'
  const problem = keyProblem(collection, value)
  if (problem !== undefined) return problem
  if (!('decode' in collection) || typeof collection.decode !== 'function') return undefined
  try {
    const decoded: unknown = collection.decode({ id, value, version })
    return typeof decoded === 'string' ? decoded : undefined
  } catch (error) {
    return messageOf(error)
  }
}

/** Why a storage would refuse a value: an indexed field has another type. */
export function keyProblem({ fields }: Collection, value: Json): string | undefined {
  for (const [field, type] of Object.entries(fields)) {
    const key = (value as Readonly<Record<string, unknown>> | null)?.[field]
    if (key === undefined || key === null) continue
    if (typeof key !== (type === 'text' ? 'string' : 'number'))
      return `${field}: expected a ${type}`
  }
  return undefined
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
