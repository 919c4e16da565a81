// The measures of a Storage, in order.
import { systemClock } from '@gatehouse/core'
import { createView } from '@gatehouse/core/store'
import { createPostgresStorage } from '@gatehouse/store-postgres'
import { newsDelays, whileFollowed } from './news.mjs'
import { upsertRate } from './plain-database.mjs'
import { rate } from './rate.mjs'
import {
  fed,
  groupOf,
  idOf,
  indexed,
  perGroup,
  plain,
  stock,
  viewed,
  writesOf,
} from './records.mjs'

/** @typedef {import('./places.mjs').Place} Place */
/** @typedef {import('./places.mjs').StoreId} StoreId */
/** @typedef {import('@gatehouse/core').Storage} Storage */
/** @typedef {import('./records.mjs').Entries} Entries */
/** @typedef {import('./records.mjs').Entry} Entry */

/**
 * @typedef {object} Measure
 * @property {string} name
 * @property {'/s' | 'ms'} unit
 * @property {boolean} [onlyPostgres]
 * @property {string} [against] the name of the measure that PostgreSQL is compared with
 * @property {number} [goal] how many times as long as in memory it may take on PostgreSQL
 * @property {(place: Place) => Promise<number | number[]>} run
 */

const forMs = 200
const newsCount = 100
const batchSize = 100
/** How many reads of a view count as one call: a single read is too short to time. */
const readsEach = 100

/** Upserts of one row per transaction, without Gatehouse. */
export const plainAlone = 'plain pg, 1 client'
export const plainTogether = 'plain pg, 8 clients'

/** @param {number} atOnce */
const suffix = (atOnce) => (atOnce === 1 ? '' : `, ${atOnce} at once`)

/** @param {number} clients @returns {Measure} */
const upserts = (clients) => ({
  name: clients === 1 ? plainAlone : plainTogether,
  unit: '/s',
  onlyPostgres: true,
  run: ({ url }) => upsertRate(url, { forMs, clients }),
})

/** @param {Storage} storage @param {Entries} collection @returns {(call: number) => Promise<unknown>} */
const commitOne = (storage, collection) => (call) =>
  storage.commit(writesOf(collection, call % 1_000, { count: 1, turn: call }))

/** @param {string} name @param {Entries} collection @param {number} atOnce @returns {Measure} */
const commits = (name, collection, atOnce) => ({
  name: name + suffix(atOnce),
  unit: '/s',
  against: atOnce === 1 ? plainAlone : plainTogether,
  run: ({ storage }) => rate(commitOne(storage, collection), { forMs, atOnce }),
})

/** @param {string} name @param {(call: number) => number} firstOf @returns {Measure} */
const batches = (name, firstOf) => ({
  name,
  unit: '/s',
  run: ({ storage }) =>
    rate(
      (call) => storage.commit(writesOf(fed, firstOf(call), { count: batchSize, turn: call + 1 })),
      { forMs, each: batchSize },
    ),
})

/** @param {number} atOnce @returns {Measure} */
const decisions = (atOnce) => ({
  name: `read, then write if version${suffix(atOnce)}`,
  unit: '/s',
  run: ({ storage }) =>
    rate(
      async (call) => {
        const id = idOf(call % stock)
        const record = await plain.get(storage, id)
        if (record === undefined) throw new Error(`${id} is gone`)
        const { value, version } = record
        await storage.commit([plain.write(id, { ...value, turn: value.turn + 1 }, { if: version })])
      },
      { forMs, atOnce },
    ),
})

/** @param {number} atOnce @returns {Measure} */
const gets = (atOnce) => ({
  name: `get by id${suffix(atOnce)}`,
  unit: '/s',
  run: ({ storage }) =>
    rate(
      async (call) => {
        const id = idOf((call * 7) % stock)
        if ((await indexed.get(storage, id)) === undefined) throw new Error(`${id} is gone`)
      },
      { forMs, atOnce },
    ),
})

/** @type {Measure} */
const finds = {
  name: `find by a field, ${perGroup} of 10,000 records`,
  unit: '/s',
  run: ({ storage }) =>
    rate(
      async (call) => {
        const query = { by: 'group', equals: groupOf(call * 7), limit: 100 }
        const { length } = await indexed.find(storage, query)
        if (length !== perGroup) throw new Error(`found ${length} records, not ${perGroup}`)
      },
      { forMs },
    ),
}

/** @type {Measure} */
const noChanges = {
  name: 'changes, nothing new',
  unit: '/s',
  async run({ storage }) {
    const { revision } = await viewed.changes(storage, 0)
    return rate(
      async () => {
        for (let read = 0; read < readsEach; read++) {
          const changes = await viewed.changes(storage, revision)
          if (changes.revision !== revision) throw new Error('something has changed')
        }
      },
      { forMs, each: readsEach },
    )
  },
}

/** @type {Measure} */
const viewReads = {
  name: 'read of a warm view of 10,000 records',
  unit: '/s',
  goal: 1.5,
  async run({ storage }) {
    /** @type {Map<string, Entry>} */
    const entries = new Map()
    const view = createView({
      storage,
      collection: viewed,
      clock: systemClock,
      projection: {
        clear: () => entries.clear(),
        put: ({ id, value }) => entries.set(id, value),
        remove: (id) => entries.delete(id),
      },
    })
    await view.refresh()
    if (entries.size !== stock) throw new Error(`the view has ${entries.size} records`)
    return rate(
      async (call) => {
        for (let read = 0; read < readsEach; read++) {
          await view.refresh()
          const id = idOf((call * readsEach + read) % stock)
          if (entries.get(id) === undefined) throw new Error(`${id} is not in the view`)
        }
      },
      { forMs, each: readsEach },
    )
  },
}

/** @type {Measure} */
const followedCommits = {
  name: 'commits, change feed, 8 at once, followed by another storage',
  unit: '/s',
  onlyPostgres: true,
  against: plainTogether,
  run: (place) =>
    whileFollowed(place, () => rate(commitOne(place.storage, fed), { forMs, atOnce: 8 })),
}

/** Simulates a disk that syncs slowly: each flush of the log takes this much longer. */
const slowFlushMs = 10

/**
 * Commits of several storages, each one after another, as several processes would make them.
 *
 * @param {number} count
 * @param {'no feed' | 'change feed'} kind
 * @returns {Measure}
 */
const slowCommits = (count, kind) => {
  const nameOf = (/** @type {string} */ which) =>
    `commits, ${which}, ${count} storages, a flush of ${slowFlushMs} ms`
  return {
    name: nameOf(kind),
    unit: '/s',
    onlyPostgres: true,
    ...(kind === 'change feed' ? { against: nameOf('no feed') } : {}),
    async run({ url }) {
      const slow = new URL(url)
      const options = `-c commit_delay=${slowFlushMs * 1_000} -c commit_siblings=0`
      slow.searchParams.set('options', options)
      const storages = Array.from({ length: count }, () =>
        createPostgresStorage({ url: slow.href.replaceAll('+', '%20'), maxConnections: 1 }),
      )
      const idle = [...storages]
      const collection = kind === 'change feed' ? fed : plain
      try {
        return await rate(
          async (call) => {
            const storage = idle.pop()
            if (storage === undefined) throw new Error('more calls at once than storages')
            await commitOne(storage, collection)(call)
            idle.push(storage)
          },
          { forMs: 5 * forMs, atOnce: count },
        )
      } finally {
        await Promise.all(storages.map((storage) => storage.close()))
      }
    },
  }
}

/** @type {Measure} */
const news = {
  name: 'news of a commit reaches another storage after',
  unit: 'ms',
  onlyPostgres: true,
  run: (place) => newsDelays(place, newsCount),
}

const atOnces = [1, 8, 32]

/** @type {readonly Measure[]} */
export const measures = [
  upserts(1),
  upserts(8),
  ...atOnces.map((atOnce) => commits('commits, no feed', plain, atOnce)),
  ...atOnces.map((atOnce) => commits('commits, change feed', fed, atOnce)),
  followedCommits,
  ...[1, 4, 16].flatMap((count) => [
    slowCommits(count, 'no feed'),
    slowCommits(count, 'change feed'),
  ]),
  news,
  batches('records in commits of 100, new', (call) => stock + call * batchSize),
  batches('records in commits of 100, repeated', (call) => (call * batchSize) % stock),
  decisions(1),
  decisions(8),
  gets(1),
  gets(8),
  finds,
  noChanges,
  viewReads,
]
