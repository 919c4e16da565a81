// Gatehouse and the library better-auth, each on an SQLite file of its own and asked by the requests of its HTTP interface, with
// passwords hashed at the same cost. No network is in between.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { honoAdapter } from '@gatehouse/adapter-hono'
import { closeAuth, createScryptHasher } from '@gatehouse/core'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import Database from 'better-sqlite3'
import { createService } from './service.mjs'

const packageFile = new URL('../../package.json', import.meta.url)
/** @type {string} */
export const peerVersion = JSON.parse(readFileSync(packageFile, 'utf8')).devDependencies[
  'better-auth'
]

/** What better-auth hashes passwords with, which it has no setting for. */
export const scryptCost = { N: 16_384, r: 16, p: 1 }
/** It leaves it to the platform how many are hashed at once, which has so many threads. */
const maxParallel = 4

/**
 * Asks for a path of its interface, by POST if there is a body.
 *
 * @typedef {(path: string, body?: unknown, headers?: Record<string, string>) => Promise<Response>} Ask
 */

const origin = 'https://auth.example.com'

/**
 * @param {string} url
 * @param {unknown} body
 * @param {Record<string, string>} headers
 */
function requestOf(url, body, headers) {
  if (body === undefined) return new Request(url, { headers })
  return new Request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin, ...headers },
    body: JSON.stringify(body),
  })
}

/**
 * A sign-up is an address and a password here, as it is there: the address is not verified.
 *
 * @param {string} folder
 */
export function openGatehouse(folder) {
  const storage = createSqliteStorage({ filename: join(folder, 'gatehouse.db') })
  const { auth, outbox } = createService(
    {
      authentication: { primary_authenticators: ['password'] },
      verification: { claims: { email: { enabled: false, required: false } } },
    },
    { storage, hasher: createScryptHasher({ ...scryptCost, maxParallel }) },
  )
  const app = honoAdapter(auth.routes)
  let clients = 0
  /** Limits count by address: each request comes from another. @type {Ask} */
  const ask = async (path, body, headers = {}) => {
    const client = ++clients
    const remoteAddress = `10.${(client >> 16) & 255}.${(client >> 8) & 255}.${client & 255}`
    const request = requestOf(`${origin}/api/v1/authentication_flows${path}`, body, headers)
    return app.fetch(request, { incoming: { socket: { remoteAddress, encrypted: true } } })
  }
  const close = async () => {
    closeAuth(auth)
    await storage.close()
  }
  return { outbox, ask, close }
}

/**
 * As its documentation sets it up, but for a journal that does not wait for the disk, as ours does not.
 *
 * @param {string} folder
 */
export async function openBetterAuth(folder) {
  const database = new Database(join(folder, 'better-auth.db'))
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  const auth = betterAuth({
    database,
    baseURL: origin,
    secret: 'key of the benchmark, of at least 32 bytes',
    emailAndPassword: { enabled: true },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
  })
  const { runMigrations } = await getMigrations(auth.options)
  await runMigrations()
  /** @type {Ask} */
  const ask = (path, body, headers = {}) =>
    auth.handler(requestOf(`${origin}/api/auth${path}`, body, headers))
  const close = async () => {
    database.close()
  }
  return { ask, close }
}
