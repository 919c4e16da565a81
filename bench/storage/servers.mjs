// The alert API of the built command: one process, or several on one storage.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { config } from '../alerts/data.mjs'
import { createClient } from '../lib/client.mjs'
import { startServer } from '../lib/server.mjs'
import { makeFolder } from './folder.mjs'
import { thenEnd } from './then-end.mjs'

/** @typedef {import('../lib/client.mjs').Client} Client */
/** @typedef {import('../lib/postgres.mjs').Postgres} Postgres */
/** @typedef {'memory' | 'sqlite' | 'postgres, 1' | 'postgres, 2' | 'postgres, 4'} SystemId */

/**
 * @typedef {object} System a started one with an empty storage
 * @property {SystemId} id
 * @property {readonly Client[]} clients one for each process
 * @property {() => Promise<void>} stop
 */

const main = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url))

/** How many requests run at once, over all processes together. */
export const connections = 8

export const isCliBuilt = () => existsSync(main)

/** @type {{ [id in SystemId]: number }} */
const processes = { memory: 1, sqlite: 1, 'postgres, 1': 1, 'postgres, 2': 2, 'postgres, 4': 4 }

/**
 * @param {boolean} hasPostgres
 * @returns {SystemId[]}
 */
export function systemIds(hasPostgres) {
  if (!hasPostgres) return ['memory', 'sqlite']
  return ['memory', 'sqlite', 'postgres, 1', 'postgres, 2', 'postgres, 4']
}

/**
 * @param {SystemId} id
 * @param {Postgres | undefined} postgres
 * @returns {Promise<System>}
 */
export async function startSystem(id, postgres) {
  const folder = makeFolder()
  /** @type {(() => Promise<unknown>)[]} */
  const endings = [async () => folder.remove()]
  const stop = async () => {
    for (const end of endings.splice(0).reverse()) await end()
  }
  try {
    const file = join(folder.path, 'gatehouse.json')
    const content = {
      storage: await storageOf(id, postgres, endings),
      alerts: {
        config: 'alertmanager.yml',
        // One more than the number of requests at once: the client may see the end of an answer before the server does.
        get_concurrency: connections + 1,
      },
    }
    writeFileSync(file, JSON.stringify(content), { mode: 0o600 })
    writeFileSync(join(folder.path, 'alertmanager.yml'), config)
    const clients = await Promise.all(
      Array.from({ length: processes[id] }, async () => {
        const server = await startServer(process.execPath, (port) => [
          main,
          'api',
          `--config=${file}`,
          `--listen=127.0.0.1:${port}`,
        ])
        const client = createClient(server.port, connections)
        endings.push(async () => {
          client.close()
          await server.stop()
        })
        return client
      }),
    )
    return { id, clients, stop }
  } catch (error) {
    return thenEnd(() => Promise.reject(error), stop)
  }
}

/**
 * @param {SystemId} id
 * @param {Postgres | undefined} postgres
 * @param {(() => Promise<unknown>)[]} endings
 */
async function storageOf(id, postgres, endings) {
  if (id === 'memory') return { memory: true }
  if (id === 'sqlite') return { sqlite: 'gatehouse.db' }
  if (postgres === undefined) throw new Error('PostgreSQL is missing')
  const url = await postgres.createDatabase()
  endings.push(() => postgres.dropDatabase(url))
  return { postgres: url }
}
