// The three stores, each in a place of its own with the same records.
import { join } from 'node:path'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { createPostgresStorage } from '@gatehouse/store-postgres'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { makeFolder } from './folder.mjs'
import { fed, indexed, plain, stock, viewed, writesOf } from './records.mjs'
import { thenEnd } from './then-end.mjs'

/** @typedef {import('@gatehouse/core').Storage} Storage */
/** @typedef {import('../lib/postgres.mjs').Postgres} Postgres */
/** @typedef {'memory' | 'sqlite' | 'postgres'} StoreId */

/**
 * @typedef {object} Place
 * @property {StoreId} id
 * @property {Storage} storage
 * @property {string} url of the PostgreSQL database; empty for the others
 * @property {() => Promise<void>} close removes it
 */

/** @typedef {Omit<Place, 'id'>} Opened */

/** @returns {Promise<Opened>} */
async function openMemory() {
  const storage = createMemoryStorage()
  return { storage, url: '', close: () => storage.close() }
}

/** @returns {Promise<Opened>} */
async function openSqlite() {
  const folder = makeFolder()
  const storage = createSqliteStorage({ filename: join(folder.path, 'gatehouse.db') })
  return {
    storage,
    url: '',
    async close() {
      await storage.close()
      folder.remove()
    },
  }
}

/** @param {Postgres} postgres @returns {Promise<Opened>} */
async function openPostgresDatabase(postgres) {
  const url = await postgres.createDatabase()
  const storage = createPostgresStorage({ url })
  return {
    storage,
    url,
    async close() {
      await storage.close()
      await postgres.dropDatabase(url)
    },
  }
}

/**
 * @param {StoreId} id
 * @param {Postgres | undefined} postgres
 * @returns {Promise<Place>}
 */
export async function openPlace(id, postgres) {
  const place = { id, ...(await open(id, postgres)) }
  try {
    await fill(place.storage)
  } catch (error) {
    return thenEnd(() => Promise.reject(error), place.close)
  }
  return place
}

/** @param {StoreId} id @param {Postgres | undefined} postgres */
function open(id, postgres) {
  if (id === 'memory') return openMemory()
  if (id === 'sqlite') return openSqlite()
  if (postgres === undefined) throw new Error('PostgreSQL is missing')
  return openPostgresDatabase(postgres)
}

/** @param {Storage} storage */
async function fill(storage) {
  for (const collection of [plain, fed, indexed, viewed]) {
    for (let first = 0; first < stock; first += 1_000) {
      await storage.commit(writesOf(collection, first, { count: 1_000, turn: 0 }))
    }
  }
}
