import { letOthersRun } from '../../async/end-of-turn.ts'
import type { TypedCollection, TypedRecord } from '../../storage/collection.ts'
import type { CommitTogether } from '../../storage/commit-together.ts'
import type { Query, Storage, Write } from '../../storage/storage.ts'
import { hasEnded } from '../run.ts'
import { keyCollection, maxKeys } from './dedupe.ts'
import { hasOutput, outputCollection, runCollection } from './run-record.ts'

/** The parts that trimming needs. */
export interface Trimming {
  readonly storage: Storage
  readonly commit: CommitTogether
}

/** The most records read or removed at once, so that other work need not wait long. */
const pageSize = 200

/** Removes the oldest finished runs, and keeps `maxRuns` of them. Runs in progress do not count and stay. */
export async function trimRuns({ storage, commit }: Trimming, maxRuns: number): Promise<number> {
  let kept = 0
  let removed = 0
  for await (const page of pages(storage, runCollection, 'id')) {
    const ended = page.filter(({ value }) => hasEnded(value))
    const old = ended.slice(Math.max(0, maxRuns - kept))
    kept += ended.length - old.length
    removed += old.length
    const writes = old.flatMap(({ id, value }): Write[] => {
      const output = hasOutput(value) ? [outputCollection.remove(id)] : []
      return [runCollection.remove(id), ...output]
    })
    if (writes.length > 0) await commit(writes)
  }
  return removed
}

/** Removes the oldest keys over the limit. */
export async function trimKeys({ storage, commit }: Trimming): Promise<number> {
  let seen = 0
  let removed = 0
  for await (const page of pages(storage, keyCollection, 'created_at')) {
    const old = page.slice(Math.max(0, maxKeys - seen))
    seen += page.length
    removed += old.length
    if (old.length > 0) await commit(old.map(({ id }) => keyCollection.remove(id)))
  }
  return removed
}

/** All records of a collection in pages, newest first. */
async function* pages<T>(
  storage: Storage,
  collection: TypedCollection<T>,
  by: 'id' | 'created_at',
): AsyncIterable<readonly TypedRecord<T>[]> {
  let query: Query = { by, order: 'desc', limit: pageSize }
  for (;;) {
    const page = await collection.find(storage, query)
    yield page
    await letOthersRun()
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    query = { ...query, after: { key: keyOf(last, by), id: last.id } }
  }
}

function keyOf<T>({ id, value }: TypedRecord<T>, by: 'id' | 'created_at'): string | number {
  return by === 'id' ? id : Number(Reflect.get(Object(value), by))
}
