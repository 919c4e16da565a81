// The server's processor time and memory with 1,000, 10,000 and 100,000 alerts. Processor time hardly depends on other load.
import { readFileSync } from 'node:fs'
import { alertBatches, silenceBodies } from './alerts/data.mjs'
import { availableSystems, startSystem } from './alerts/systems.mjs'
import { readOptions } from './lib/options.mjs'
import { table } from './lib/table.mjs'

const usage = `npm run bench -- alerts-scale [options]

  --most N  the most alerts (default 100000); a tenth of them are groups, and a tenth silences
  --json    the figures as JSON`

const hour = 3_600_000

/** @param {string[]} args */
export async function run(args) {
  const values = readOptions(args, {
    usage,
    options: { most: { type: 'string', default: '100000' } },
  })
  if (values === undefined) return
  const columns = []
  for (const system of availableSystems(false).filter(({ id }) => id !== 'memory')) {
    for (const count of [1_000, 10_000, 100_000].filter((one) => one <= Number(values.most))) {
      console.error(`${system.id}: ${count} alerts`)
      columns.push({ id: system.id, count, figures: await measure(system, count) })
    }
  }
  if (values.json) return console.log(JSON.stringify(columns, undefined, 2))
  const names = Object.keys(columns[0]?.figures ?? {})
  const head = ['', ...columns.map(({ id, count }) => `${id} ${count}`)]
  const body = names.map((name) => [
    name,
    ...columns.map(({ figures }) => figures[name]?.toFixed(0) ?? ''),
  ])
  console.log(table([head, ...body]))
}

/**
 * @param {import('./alerts/systems.mjs').System} system
 * @param {number} count
 * @returns {Promise<Record<string, number>>}
 */
async function measure(system, count) {
  const running = await startSystem(system, byInstance)
  const { pid, client } = running
  /** @type {Record<string, number>} */
  const figures = {}
  const startedAt = Date.now()
  const processorMs = () => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10
  }
  /** @param {string} name @param {() => Promise<void>} work */
  const timed = async (name, work) => {
    const before = processorMs()
    await work()
    figures[`${name}, ms`] = processorMs() - before
  }
  /** @param {string} path @param {readonly Buffer[]} bodies */
  const postAll = async (path, bodies) => {
    for (const body of bodies) {
      const { status } = await client.post(path, body)
      if (status !== 200) throw new Error(`POST ${path} answered ${status}`)
    }
  }
  /** @param {string} path */
  const get = async (path) => {
    const { status } = await client.get(path)
    if (status !== 200) throw new Error(`GET ${path} answered ${status}`)
  }
  /** @param {number} laterMs */
  const batches = (laterMs) =>
    alertBatches(count, { startsAt: startedAt - hour, endsAt: startedAt + 2 * hour + laterMs })
  try {
    await timed('post new alerts', () => postAll('/api/v2/alerts', batches(0)))
    await timed('post them again', () => postAll('/api/v2/alerts', batches(1)))
    // Alertmanager compares every target of an inhibit rule with every source: an answer takes minutes.
    const isAsked = system.id !== 'alertmanager' || count <= 10_000
    if (isAsked) {
      await timed('first GET alerts', () => get('/api/v2/alerts'))
      await timed('first GET groups', () => get('/api/v2/alerts/groups'))
      await timed('post them again, read lately', () => postAll('/api/v2/alerts', batches(2)))
      await timed('GET alerts after it', () => get('/api/v2/alerts'))
    }
    await timed('post silences', () =>
      postAll('/api/v2/silences', silenceBodies(count / 10, 'scale')),
    )
    if (isAsked) await timed('GET alerts under silences', () => get('/api/v2/alerts'))
    await timed('GET silences', () => get('/api/v2/silences'))
    figures['memory, MiB'] = running.peakMemoryKiB() / 1024
  } finally {
    await running.stop()
  }
  return figures
}

/** Ten alerts share an instance. @param {string} config */
const byInstance = (config) =>
  config.replace('group_by: [alertname, cluster]', 'group_by: [instance]')
