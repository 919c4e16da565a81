import type { Collection, Instant, Logger } from '@gatehouse/core/store'
import type { CommitPart } from './commit.ts'
import type { Database } from './database.ts'
import { createFeed } from './feed.ts'
import { createHousekeeping } from './housekeeping.ts'
import { createMigrator } from './migrate.ts'
import type { Names } from './names.ts'
import { createNews } from './news.ts'
import {
  createOpenedCollections,
  type OpenedCollection,
  type OpenedCollections,
} from './opened-collections.ts'
import { createTable } from './table.ts'
import type { Transaction } from './transaction.ts'

/** The tables of one storage. Once prepared, they are swept, and news from other processes reaches their feeds. */
export interface StorageTables {
  readonly collections: OpenedCollections
  /** The collections for a transaction whose app holds the only connection: missing tables are made in it. */
  within(transaction: Transaction): Pick<OpenedCollections, 'use'>
  /** Notifies the other processes of a commit. */
  notify(parts: readonly CommitPart[]): void
  /** Removes some expired records. */
  sweep(now: Instant): Promise<void>
  /** Stops, and waits for pending work. */
  close(): Promise<void>
}

/** Options of {@link createStorageTables}. */
export interface StorageTablesOptions {
  names: Names
  migrate: 'auto' | 'manual'
  /** The id of this storage in notifications. */
  self: string
  logger: Logger
}

/** Creates {@link StorageTables}, of which none is prepared. */
export function createStorageTables(
  database: Database,
  { names, migrate, self, logger }: StorageTablesOptions,
): StorageTables {
  const migrator = createMigrator(database, { names, migrate, logger })
  const open = (collection: Collection): OpenedCollection => ({
    table: createTable(names, collection),
    feed: collection.feed ? createFeed(names, collection.name) : undefined,
  })
  const collections = createOpenedCollections(async (collection) => {
    await migrator.prepare([collection])
    const opened = open(collection)
    housekeeping.add(opened.table, opened.feed)
    if (opened.feed !== undefined) news.listen()
    return opened
  })
  const news = createNews(database, {
    channel: names.channel,
    self,
    logger,
    onNews(name) {
      const feeds = name === undefined ? collections.feeds() : [collections.feed(name)]
      for (const feed of feeds) feed?.doubt()
    },
  })
  const housekeeping = createHousekeeping(database, { logger, onSwept: news.notify })

  return {
    collections,

    within(transaction) {
      const inner = createMigrator(transaction, { names, migrate, logger })
      return createOpenedCollections(async (collection) => {
        const known = collections.prepared(collection.name)
        if (known === undefined) await inner.prepare([collection])
        return known ?? open(collection)
      })
    },

    notify(parts) {
      for (const { feed, table } of parts) {
        if (feed !== undefined) news.notify(table.collection.name)
      }
    },

    sweep: housekeeping.step,
    close: news.close,
  }
}
