import { letOthersRun } from '../../async/end-of-turn.ts'
import type { TypedCollection, TypedRecord } from '../../storage/collection.ts'
import type { CommitTogether } from '../../storage/commit-together.ts'
import type { Query, Storage, Write } from '../../storage/storage.ts'
import { hasEnded } from '../run.ts'
import { keyCollection, maxKeys, type StoredKey } from './dedupe.ts'
import { hasOutput, outputCollection, runCollection, type StoredRun } from './run-record.ts'
import { fairShare } from './share.ts'

/** The parts that trimming needs. */
export interface Trimming {
  readonly storage: Storage
  readonly commit: CommitTogether
}

/** The most records read or removed at once, so that other work need not wait long. */
const pageSize = 200

/**
 * Removes the oldest finished runs, and keeps at most `maxRuns` of them, of each webhook its {@link fairShare}. Runs in progress
 * do not count and stay.
 */
export async function trimRuns(trimming: Trimming, maxRuns: number): Promise<number> {
  const ofRun = ({ value }: TypedRecord<StoredRun>): string | undefined =>
    hasEnded(value) ? value.webhook : undefined
  return trim(trimming, runCollection, 'id', maxRuns, ofRun, ({ id, value }) => {
    const output = hasOutput(value) ? [outputCollection.remove(id)] : []
    return [runCollection.remove(id), ...output]
  })
}

/** Removes the oldest keys over the limit, of each webhook over its share. */
export async function trimKeys(trimming: Trimming): Promise<number> {
  const ofKey = ({ value }: TypedRecord<StoredKey>): string => value.webhook ?? ''
  return trim(trimming, keyCollection, 'created_at', maxKeys, ofKey, ({ id }) => [
    keyCollection.remove(id),
  ])
}

/** @param ownerOf the webhook of a record; `undefined` for one that stays and does not count. */
async function trim<T>(
  { storage, commit }: Trimming,
  collection: TypedCollection<T>,
  by: 'id' | 'created_at',
  limit: number,
  ownerOf: (record: TypedRecord<T>) => string | undefined,
  removalOf: (record: TypedRecord<T>) => readonly Write[],
): Promise<number> {
  const counts = new Map<string, number>()
  const count = (owner: string): number => {
    const counted = (counts.get(owner) ?? 0) + 1
    counts.set(owner, counted)
    return counted
  }
  let total = 0
  for await (const page of pages(storage, collection, by)) {
    for (const record of page) {
      const owner = ownerOf(record)
      if (owner === undefined) continue
      count(owner)
      total += 1
    }
  }
  if (total <= limit) return 0
  const share = fairShare(counts.values(), limit)
  counts.clear()
  let removed = 0
  for await (const page of pages(storage, collection, by)) {
    const old = page.filter((record) => {
      const owner = ownerOf(record)
      return owner !== undefined && count(owner) > share
    })
    removed += old.length
    if (old.length > 0) await commit(old.flatMap(removalOf))
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
