// node --expose-gc bench/webhook/scale-store.mjs STORE RUNS: the time and memory of operations beside this many runs, as JSON.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import {
  createWebhooks,
  getRun,
  listRuns,
  startWebhooks,
  triggerWebhook,
  webhooksCollections,
} from '@gatehouse/core/webhook'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { makeFolder } from '../storage/folder.mjs'

const [, , store = 'memory', text = '10000'] = process.argv
const runs = Number(text)
const hour = 3_600_000
const perCommit = 1_000
const kinds = 20
/** One run in this many has failed, and one has output. */
const failedOf = 5_000
const talkingOf = 10

const folder = makeFolder()
const filename = join(folder.path, 'runs.db')
const storage =
  store === 'memory'
    ? createMemoryStorage()
    : createSqliteStorage({ filename, durability: 'process' })

/** Ends every command at once, so that only the records cost. @type {import('@gatehouse/core/webhook').CommandRunner} */
const runner = {
  async start() {
    const nothing = { bytes: new Uint8Array(), total: 0 }
    const ended = { exitCode: 0, signal: null, stdout: nothing, stderr: nothing }
    return { running: { ended: Promise.resolve(ended), signal() {} } }
  },
  async close() {},
  find: async () => ({ program: '/bin/true', prefix: [] }),
}

const ids = Array.from({ length: kinds }, (_, index) => `hook-${index}`)
/** @param {number} max_runs */
const serviceFor = (max_runs) =>
  createWebhooks({
    storage,
    runner,
    config: {
      history: { max_runs, max_age: '365d' },
      webhooks: ids.map((id) => ({
        id,
        token: 'token',
        execute_command: '/bin/true',
        workdir: '/',
        concurrency: 0,
      })),
    },
  })

/** @param {string} name */
const collection = (name) => {
  const found = webhooksCollections.find((one) => one.name === name)
  if (found === undefined) throw new Error(`there is no collection ${name}`)
  return found
}
const [runCollection, outputCollection] = ['webhook_runs', 'webhook_run_outputs'].map(collection)

const digits = '0123456789abcdefghjkmnpqrstvwxyz'
/** @param {number} value @param {number} length */
const base32 = (value, length) =>
  Array.from({ length }, (_, at) => digits[Math.floor(value / 32 ** (length - 1 - at)) % 32]).join(
    '',
  )

/** Writes ended runs like a real one, a second apart, the last an hour ago. */
async function fill() {
  const webhooks = serviceFor(runs)
  const real = await triggerWebhook(webhooks, 'hook-0', {})
  if (real.status === 'skipped') throw new Error('nothing was run')
  const [record] = await storage.get(runCollection, [real.id])
  const last = Date.now() - hour
  const made = []
  for (let first = 0; first < runs; first += perCommit) {
    const writes = []
    for (let n = first; n < Math.min(first + perCommit, runs); n++) {
      const at = last - (runs - n) * 1_000
      const run_id = `run_${base32(at, 10)}${base32(n, 16)}`
      const isFailed = n % failedOf === 0
      const value = {
        ...Object(record?.value),
        run_id,
        webhook: ids[n % kinds],
        created_at: at,
        started_at: at,
        finished_at: at,
        ...(isFailed ? { status: 'failed', reason: 'exit_code', exit_code: 1 } : {}),
        ...(n % talkingOf === 0 ? { stdout_bytes: 200 } : {}),
      }
      const expiresAt = Date.now() + 1_000 * hour
      writes.push({ collection: runCollection, id: run_id, value, expiresAt })
      if (n % talkingOf === 0) {
        const output = { stdout: 'a line of output\n'.repeat(12), stderr: '' }
        writes.push({ collection: outputCollection, id: run_id, value: output, expiresAt })
      }
      if (n % 97 === 0) made.push(run_id)
    }
    await storage.commit(writes)
  }
  return made
}

/**
 * @param {number} times
 * @param {(index: number) => Promise<unknown>} operation
 * @returns {Promise<number>} CPU time of one, in ms
 */
async function costOf(times, operation) {
  await operation(0)
  const before = process.cpuUsage()
  for (let index = 0; index < times; index++) await operation(index)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / times
}

const settled = () => new Promise((resolve) => setImmediate(resolve))
const usedMiB = () => {
  gc?.()
  return process.memoryUsage().rss / 2 ** 20
}

const emptyMiB = usedMiB()
const fillBefore = process.cpuUsage()
const some = await fill()
const { user, system } = process.cpuUsage(fillBefore)
const webhooks = serviceFor(runs)
const pick = (/** @type {number} */ index) => some[(index * 7_919) % some.length]

/** @type {Record<string, number>} */
const figures = {}
figures['write one, 1,000 at once'] = (user + system) / 1_000 / runs
figures.get = await costOf(300, (index) => getRun(webhooks, pick(index)))
figures['list, first page'] = await costOf(100, () => listRuns(webhooks, {}))
figures['list, page in the middle'] = await costOf(100, () =>
  listRuns(webhooks, { before: some[some.length >> 1] }),
)
figures['list of one webhook'] = await costOf(100, () => listRuns(webhooks, { id: 'hook-7' }))
figures['list of the failed'] = await costOf(2, () =>
  listRuns(webhooks, { status: 'failed', limit: 2 }),
)
figures['list of a status that none has'] = await costOf(1, () =>
  listRuns(webhooks, { status: 'timed_out' }),
)
// The first run of a process makes it look for runs to remove.
await triggerWebhook(webhooks, 'hook-0', {})
await webhooks.work.history.settled()
figures['run, with its records'] = await costOf(500, (index) =>
  triggerWebhook(webhooks, ids[index % kinds], {}),
)
const start = process.cpuUsage()
const working = startWebhooks(webhooks)
await working.stop()
await webhooks.work.history.settled()
const started = process.cpuUsage(start)
figures['start, and look for runs to remove'] = (started.user + started.system) / 1_000
const half = serviceFor(runs / 2)
const trimBefore = process.cpuUsage()
await half.work.history.trim()
const trimmed = process.cpuUsage(trimBefore)
figures['remove half'] = (trimmed.user + trimmed.system) / 1_000
await settled()
figures['memory, MiB'] = usedMiB() - emptyMiB
figures['file, MiB'] = store === 'memory' ? 0 : statSync(filename).size / 2 ** 20
console.log(JSON.stringify({ store, runs, figures }))
await storage.close()
folder.remove()
