import { type Collection, checkCollection } from '@gatehouse/core/store'
import { isTableMissing } from './errors.ts'
import type { Feed } from './feed.ts'
import type { Table } from './table.ts'

/** A collection whose tables exist. */
export interface OpenedCollection {
  readonly table: Table
  /** The change feed, if the collection has one. */
  readonly feed: Feed | undefined
}

/** The collections in use. The tables of each are prepared once. */
export interface OpenedCollections {
  /**
   * Runs `work` on prepared collections, in the order given. If a table turns out to be missing, the collection is prepared again
   * at the next use.
   */
  use<T>(
    collections: readonly Collection[],
    work: (opened: readonly OpenedCollection[]) => Promise<T>,
  ): Promise<T>
  /** The tables of a collection, if they are prepared. */
  prepared(name: string): OpenedCollection | undefined
  /** The feed of a prepared collection. */
  feed(name: string): Feed | undefined
  /** The same for this exact collection object, not for another one of its name. */
  feedOf(collection: Collection): Feed | undefined
  /** The feeds of all prepared collections. */
  feeds(): readonly Feed[]
}

/** Creates {@link OpenedCollections}. `prepare` makes the tables of one collection. */
export function createOpenedCollections(
  prepare: (collection: Collection) => Promise<OpenedCollection>,
): OpenedCollections {
  const declared = new Map<string, Collection>()
  const ready = new Map<string, OpenedCollection>()
  const underWay = new Map<string, Promise<OpenedCollection>>()
  /** The most frequent lookup, by a single Map access. */
  const feeds = new Map<Collection, Feed>()

  const check = (collection: Collection): void => {
    const known = declared.get(collection.name)
    if (known === collection) return
    checkCollection(collection, known)
    declared.set(collection.name, collection)
    if (known !== undefined) feeds.delete(known)
  }

  const makeReady = async (collection: Collection): Promise<OpenedCollection> => {
    try {
      const opened = await prepare(collection)
      ready.set(collection.name, opened)
      return opened
    } finally {
      underWay.delete(collection.name)
    }
  }

  const open = (collection: Collection): OpenedCollection | Promise<OpenedCollection> => {
    const { name } = collection
    check(collection)
    const opened = ready.get(name) ?? underWay.get(name)
    if (opened !== undefined) return opened
    const opening = makeReady(collection)
    underWay.set(name, opening)
    return opening
  }

  const forget = (collection: Collection): void => {
    ready.delete(collection.name)
    feeds.delete(collection)
  }

  return {
    async use(collections, work) {
      const opened: OpenedCollection[] = []
      for (const collection of collections) {
        const one = await open(collection)
        opened.push(one)
        const isDeclared = declared.get(collection.name) === collection
        if (one.feed !== undefined && isDeclared) feeds.set(collection, one.feed)
      }
      try {
        return await work(opened)
      } catch (error) {
        if (isTableMissing(error)) for (const collection of collections) forget(collection)
        throw error
      }
    },

    prepared: (name) => ready.get(name),

    feed: (name) => ready.get(name)?.feed,

    feedOf: (collection) => feeds.get(collection),

    feeds: () => [...ready.values()].flatMap(({ feed }) => (feed === undefined ? [] : [feed])),
  }
}
