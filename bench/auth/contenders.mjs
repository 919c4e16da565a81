// Gatehouse and the library better-auth, each on its own SQLite file, called through their HTTP interface without a network, with
// passwords hashed at the same cost.
import { randomBytes, scrypt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { honoAdapter } from '@gatehouse/adapter-hono'
import { closeAuth, createScryptHasher } from '@gatehouse/core/auth'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { installWhenNeeded } from '../../scripts/install-when-needed.mjs'
import { createService } from './service.mjs'

const packageFile = new URL('../../package.json', import.meta.url)
/** @type {string} */
export const peerVersion = JSON.parse(readFileSync(packageFile, 'utf8')).devDependencies[
  'better-auth'
]

/** The default cost of better-auth. */
export const usualCost = { N: 16_384, r: 16, p: 1 }
/** Almost free, so that the figures show the cost of the libraries themselves. */
export const leastCost = { N: 2, r: 1, p: 1 }

/** @typedef {typeof usualCost} ScryptCost */

/** better-auth does not limit parallel hashing; Node's thread pool has four threads. */
const maxParallel = 4

/**
 * Requests a path, by POST if there is a body.
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

const off = { enabled: false }
const withoutLimits = {
  general: { per_ip: off, per_user_per_ip: off },
  password: { per_ip: off, per_user_per_ip: off },
  signup: { per_ip: off },
  account_enumeration: { per_ip: off },
}

/**
 * A sign-up takes an address and a password, as in better-auth: the address is not verified.
 *
 * @param {string} folder
 * @param {ScryptCost} cost
 * @param {{ limits: boolean }} options whether attempts are limited, as they are by default
 */
export function openGatehouse(folder, cost, { limits }) {
  const filename = join(folder, `gatehouse-${cost.N}-${limits}.db`)
  const storage = createSqliteStorage({ filename })
  const { auth, outbox } = createService(
    {
      authentication: {
        primary_authenticators: ['password'],
        ...(limits ? {} : { rate_limits: withoutLimits }),
      },
      verification: { claims: { email: { enabled: false, required: false } } },
      ...(limits ? {} : { authentication_flow: { rate_limits: { per_ip: off } } }),
    },
    { storage, hasher: createScryptHasher({ ...cost, maxParallel }) },
  )
  const app = honoAdapter(auth.routes)
  let clients = 0
  /** Limits count by address, so each request comes from another one. @type {Ask} */
  const ask = async (path, body, headers = {}) => {
    const client = ++clients
    const remoteAddress = `10.${(client >> 16) & 255}.${(client >> 8) & 255}.${client & 255}`
    const request = requestOf(`${origin}/api/v1/authentication_flows${path}`, body, headers)
    return app.fetch(request, { incoming: { socket: { remoteAddress, encrypted: true } } })
  }
  const close = async () => {
    await closeAuth(auth)
    await storage.close()
  }
  return { outbox, ask, close }
}

/** better-auth's own hashing at another cost. @param {ScryptCost} cost */
function hashing(cost) {
  const keyOf = (/** @type {string} */ password, /** @type {string} */ salt) =>
    /** @type {Promise<string>} */ (
      new Promise((resolve, reject) => {
        scrypt(password.normalize('NFKC'), salt, 64, cost, (error, key) =>
          error === null ? resolve(key.toString('hex')) : reject(error),
        )
      })
    )
  return {
    async hash(/** @type {string} */ password) {
      const salt = randomBytes(16).toString('hex')
      return `${salt}:${await keyOf(password, salt)}`
    },
    async verify(/** @type {{ hash: string, password: string }} */ { hash, password }) {
      const [salt, key] = hash.split(':')
      return (await keyOf(password, salt)) === key
    },
  }
}

/**
 * Set up as its documentation shows, except for a journal that does not sync to disk; ours does not either.
 *
 * @param {string} folder
 * @param {ScryptCost} cost
 */
export async function openBetterAuth(folder, cost) {
  const Database = createRequire(import.meta.url)(installWhenNeeded('better-sqlite3', '12.11.1'))
  const database = new Database(join(folder, `better-auth-${cost.N}.db`))
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  const auth = betterAuth({
    database,
    baseURL: origin,
    secret: 'key of the benchmark, of at least 32 bytes',
    emailAndPassword: {
      enabled: true,
      ...(cost === usualCost ? {} : { password: hashing(cost) }),
    },
    rateLimit: { enabled: false }, // as outside of production
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
