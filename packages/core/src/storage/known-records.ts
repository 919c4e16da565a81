import { createRecentMap } from '../async/recent-map.ts'
import type { Clock } from '../time/clock.ts'
import type { TypedCollection } from './collection.ts'
import { type Content, isSame, none } from './decision.ts'
import type { Storage, Version, Write } from './storage.ts'

/** A record as this process knows it. */
export interface Known<T> {
  readonly content: Content<T>
  readonly version: Version | 'absent'
  /** Another process has changed it lately, so a decision on this content would probably fail. */
  readonly isShared: boolean
}

/** Records by id. */
export type KnownById<T> = ReadonlyMap<string, Known<T>>

/** The records of a collection as this process last saw them. */
export interface KnownRecords<T> {
  /** The records as this process left them; `undefined` if another process seems to use one of them too. */
  recall(ids: Iterable<string>): KnownById<T> | undefined
  read(ids: readonly string[]): Promise<KnownById<T>>
  /**
   * Stores contents, unless they change nothing. The commit checks the records that stay the same.
   *
   * @returns whether there was something to store.
   */
  store(before: KnownById<T>, contents: ReadonlyMap<string, Content<T>>): Promise<boolean>
}

/** How many records are remembered at least. */
const maxRemembered = 5_000

const absent: Known<never> = { content: none, version: 'absent', isShared: false }

/** Whether a content has expired. */
export const isOver = ({ expiresAt }: Content<unknown>, now: number): boolean =>
  expiresAt !== undefined && expiresAt <= now

/** The write that makes a content of a record that has a version now. */
export function writeOf<T>(
  collection: TypedCollection<T>,
  id: string,
  { value, expiresAt }: Content<T>,
  version: Known<T>['version'],
): Write {
  if (value === undefined) {
    return version === 'absent'
      ? { collection, id, check: version }
      : collection.remove(id, version)
  }
  const expiry = expiresAt === undefined ? {} : { expiresAt }
  return collection.write(id, value, { if: version, ...expiry })
}

/** A record that was read, where this process knew `before`. */
export function knownAfterRead<T>(
  record: { readonly value: T; readonly version: Version; readonly expiresAt?: number } | undefined,
  before: Known<T> | undefined,
  now: number,
): Known<T> {
  const version = record?.version ?? 'absent'
  const expected = before === undefined || isOver(before.content, now) ? 'absent' : before.version
  const content = record === undefined ? none : { value: record.value, expiresAt: record.expiresAt }
  return { content, version, isShared: before !== undefined && version !== expected }
}

/** Creates {@link KnownRecords} that knows none. */
export function createKnownRecords<T>(
  storage: Storage,
  collection: TypedCollection<T>,
  clock: Clock,
): KnownRecords<T> {
  const memory = createRecentMap<Known<T>>(maxRemembered)
  return {
    recall(ids) {
      const found = new Map<string, Known<T>>()
      for (const id of ids) {
        const known = memory.get(id) ?? absent
        if (known.isShared) return undefined
        found.set(id, isOver(known.content, clock.now()) ? absent : known)
      }
      return found
    },

    async read(ids) {
      const records = await collection.getAll(storage, ids)
      const found = new Map<string, Known<T>>()
      for (const [index, id] of ids.entries()) {
        const known = knownAfterRead(records[index], memory.get(id), clock.now())
        memory.set(id, known)
        found.set(id, known)
      }
      return found
    },

    async store(before, contents) {
      let isChanged = false
      const writes = Array.from(before, ([id, { content, version }]): Write => {
        const after = contents.get(id) ?? none
        if (isSame(after, content)) return { collection, id, check: version }
        isChanged = true
        return writeOf(collection, id, after, version)
      })
      if (!isChanged) return false
      const versions = await storage.commit(writes)
      let index = 0
      for (const [id, { version: left, isShared }] of before) {
        const content = contents.get(id) ?? none
        const write = writes[index]
        const version = write !== undefined && 'check' in write ? left : versions[index]
        const isThere = content.value !== undefined && version !== undefined
        memory.set(id, { content, version: isThere ? version : 'absent', isShared })
        index++
      }
      return true
    },
  }
}
