// The cost of sign-in with many users and sessions in one SQLite file.
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createFlow, systemClock } from '@gatehouse/core'
import { createSession, importUsers, resolveSessionToken } from '@gatehouse/core/auth'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { createService, password, requestOf, stateOf } from './auth/service.mjs'
import { readOptions, wholeNumber } from './lib/options.mjs'
import { median, table } from './lib/table.mjs'
import { makeFolder } from './storage/folder.mjs'

/** @typedef {import('@gatehouse/core').AuthContext} AuthContext */
/** @typedef {import('@gatehouse/core').Storage} Storage */
/** @typedef {import('@gatehouse/core').Write} Write */

const usage = `npm run bench -- auth-scale [options]

  --users LIST   sizes to measure, each with a session for each user (default 10000,100000)
  --rounds N     how often each operation is measured; the table shows medians (default 3)
  --json         the figures as JSON

A million users take some ten minutes and 3 GB in the temporary folder.`

const emailOf = (/** @type {number} */ index) => `person${index}@harborlight.example`
/** How many users are stored at once while the file is filled. */
const together = 250
/** The calls of one round. */
const calls = 200

const sections = {
  identity: { login_id: { keys: [{ type: 'email' }] } },
  authentication_flow: {
    signup_flows: [
      {
        name: 'default',
        steps: [
          { type: 'identify', one_of: [{ identification: 'email' }] },
          { type: 'create_authenticator', one_of: [{ authentication: 'primary_password' }] },
        ],
      },
    ],
  },
}

/** @param {string[]} args */
export async function run(args) {
  const options = /** @type {const} */ ({ users: { type: 'string', default: '10000,100000' } })
  const values = readOptions(args, { usage, options })
  if (values === undefined) return
  const rounds = wholeNumber('rounds', values.rounds)
  const sizes = values.users.split(',').map((text) => wholeNumber('users', text))
  const measured = []
  // Each in a process of its own, because of its memory.
  const [only, ...others] = sizes
  if (only !== undefined && others.length === 0) measured.push(await measure(only, rounds))
  else for (const size of sizes) measured.push(measureApart(size, rounds))
  const machine = { node: process.version, cpu: cpus()[0]?.model, cpus: cpus().length }
  if (values.json) return console.log(JSON.stringify({ machine, rounds, sizes, measured }))
  const names = Object.keys(measured[0] ?? {})
  const rows = names.map((name) => [name, ...measured.map((figures) => figures[name].toFixed(2))])
  console.log(`\nNode.js ${machine.node}, ${machine.cpu}, medians of ${rounds} rounds\n`)
  console.log(table([['users and sessions', ...sizes.map(String)], ...rows]))
}

/**
 * @param {number} size
 * @param {number} rounds
 * @returns {Record<string, number>}
 */
function measureApart(size, rounds) {
  console.error(`${size} users`)
  const script = fileURLToPath(new URL('../scripts/bench.mjs', import.meta.url))
  const args = [script, 'auth-scale', '--users', `${size}`, '--rounds', `${rounds}`, '--json']
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })).measured[0]
}

/**
 * @param {number} size
 * @param {number} rounds
 * @returns {Promise<Record<string, number>>}
 */
async function measure(size, rounds) {
  const folder = makeFolder()
  const filename = join(folder.path, 'gatehouse.db')
  const storage = createSqliteStorage({ filename })
  try {
    const filling = process.cpuUsage()
    const tokens = await fill(storage, size)
    const fillMs = cpuMs(filling) / size
    // The access to each session was recorded more than a minute ago, so that each look-up records it again.
    const clock = { ...systemClock, now: () => systemClock.now() + 3_600_000 }
    const { auth } = createService(sections, { storage, clock })
    let client = 0
    let last = size
    const login = () => signIn(auth, 'login', emailOf(pick(size)), client++)
    const signUp = () => signIn(auth, 'signup', emailOf(last++), client++)
    const lookUp = async () => {
      const token = tokens[pick(tokens.length)] ?? ''
      if ((await resolveSessionToken(auth, token)) === undefined) throw new Error('no session')
    }
    return {
      'ms a login': await timeOf(login, rounds),
      'ms a look-up of a session, with its write': await timeOf(lookUp, rounds),
      'ms a sign-up': await timeOf(signUp, rounds),
      'ms a user while filling': fillMs,
      'MiB of memory': process.memoryUsage.rss() / 2 ** 20,
      'KiB a user in the file': statSync(filename).size / size / 1_024,
    }
  } finally {
    await storage.close()
    folder.remove()
  }
}

const pick = (/** @type {number} */ size) => Math.floor(Math.random() * size)

/** @param {NodeJS.CpuUsage} since */
function cpuMs(since) {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1_000
}

/**
 * The CPU time of a call, in ms: wall-clock time would measure the other work of the machine too.
 *
 * @param {() => Promise<unknown>} call
 * @param {number} rounds
 */
async function timeOf(call, rounds) {
  for (let count = 0; count < calls; count++) await call()
  const times = []
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage()
    for (let count = 0; count < calls; count++) await call()
    times.push(cpuMs(before) / calls)
  }
  return median(times)
}

/**
 * @param {AuthContext} auth
 * @param {'login' | 'signup'} type
 * @param {string} email
 * @param {number} client
 */
async function signIn(auth, type, email, client) {
  const secret = type === 'login' ? { password } : { new_password: password }
  const inputs = [
    { identification: 'email', login_id: email },
    { authentication: 'primary_password', ...secret },
  ]
  const params = { type, name: 'default', batch_input: inputs }
  const { action } = stateOf(await createFlow(auth, params, requestOf(client)))
  if (action.type !== 'finished') throw new Error(`the flow is at ${action.type}`)
}

/**
 * Stores users, each with a session. Returns the tokens of some of the sessions.
 *
 * @param {Storage} storage
 * @param {number} size
 */
async function fill(storage, size) {
  const { auth } = createService(sections, { storage: joiningCommits(storage) })
  const hash = await auth.hasher.hash(password)
  const tokens = []
  for (let first = 0; first < size; first += together) {
    const indexes = Array.from({ length: Math.min(together, size - first) }, (_, i) => first + i)
    const opened = await Promise.all(
      indexes.map(async (index) => {
        const record = { email: emailOf(index), password: { type: 'scrypt', password_hash: hash } }
        const [outcome] = await importUsers(auth, [record])
        if (outcome?.outcome !== 'inserted') throw new Error('a user was not imported')
        return createSession(auth, outcome.user_id, {})
      }),
    )
    if (tokens.length < 10_000) tokens.push(...opened.map(({ token }) => token))
  }
  return tokens
}

/**
 * Joins the commits of one turn of the event loop, since a file is filled many times as fast with few large ones.
 *
 * @param {Storage} storage
 * @returns {Storage}
 */
function joiningCommits(storage) {
  /** @type {{ writes: readonly Write[], resolve: (versions: readonly string[]) => void, reject: (error: unknown) => void }[]} */
  let waiting = []
  const commitAll = async () => {
    const all = waiting
    waiting = []
    try {
      const versions = [...(await storage.commit(all.flatMap(({ writes }) => writes)))]
      for (const { writes, resolve } of all) resolve(versions.splice(0, writes.length))
    } catch (error) {
      for (const { reject } of all) reject(error)
    }
  }
  return {
    ...storage,
    commit: (writes) =>
      new Promise((resolve, reject) => {
        if (waiting.push({ writes, resolve, reject }) === 1) setImmediate(() => void commitAll())
      }),
  }
}
