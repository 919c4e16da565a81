// The measures of the alert API, in the order in which every system gets them.
import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { alertBatches, countOf, warmUpBatches } from '../alerts/data.mjs'
import { textOf } from '../lib/client.mjs'
import { rate } from './rate.mjs'
import { connections } from './servers.mjs'

/** @typedef {import('../lib/client.mjs').Client} Client */

/**
 * @typedef {object} ApiMeasure
 * @property {string} name
 * @property {number} [turns] how many turns a read has in a round; it must be nearly as fast on PostgreSQL as in memory
 * @property {(clients: readonly Client[]) => Promise<number>} run returns the rate per second
 */

const alertCount = 10_000
const hourMs = 3_600_000
const allWithinMs = 20_000
const alertsPath = '/api/v2/alerts'
const someInstance = 'host-00007.example.org:9100'

/**
 * Posts to all processes in turn.
 *
 * @param {readonly Client[]} clients
 * @param {readonly Buffer[]} bodies
 */
async function postAll(clients, bodies) {
  let next = 0
  const postRest = async () => {
    for (;;) {
      const [body, client] = [bodies[next], clients[next % clients.length]]
      next++
      if (body === undefined || client === undefined) return
      const { status } = await client.post(alertsPath, body)
      if (status !== 200) throw new Error(`POST ${alertsPath} answered ${status}`)
    }
  }
  await Promise.all(Array.from({ length: connections }, postRest))
}

/** @param {readonly Client[]} clients */
export async function warmUp(clients) {
  await postAll(clients, warmUpBatches())
}

/** @param {string} name @param {number} laterMs @returns {ApiMeasure} */
const posts = (name, laterMs) => ({
  name,
  async run(clients) {
    const now = Date.now()
    const times = { startsAt: now - 60_000, endsAt: now + 2 * hourMs + laterMs }
    const bodies = alertBatches(alertCount, times)
    const start = performance.now()
    await postAll(clients, bodies)
    return (alertCount * 1_000) / (performance.now() - start)
  },
})

/** @param {string} name @param {string} path @param {{ count: number, forMs: number }} options @returns {ApiMeasure} */
const gets = (name, path, { count, forMs }) => ({
  name,
  turns: 3,
  async run(clients) {
    const sizes = await Promise.all(clients.map((client) => sizeOfAll(client, path, count)))
    return rate(
      async (call) => {
        const index = call % clients.length
        const answer = await clients[index]?.get(path)
        if (answer?.status !== 200 || answer.bytes !== sizes[index]) {
          throw new Error(`${name}: answered ${answer?.status} with ${answer?.bytes} bytes`)
        }
      },
      { forMs, atOnce: connections },
    )
  },
})

/**
 * Repeats the request until the answer has the expected number of alerts: other processes learn of a post a moment later.
 *
 * @param {Client} client
 * @param {string} path
 * @param {number} count
 * @returns {Promise<number>} the size of that answer in bytes
 */
async function sizeOfAll(client, path, count) {
  const deadline = performance.now() + allWithinMs
  for (;;) {
    const answer = await client.get(path)
    const found = answer.status === 200 ? JSON.parse(textOf(answer)).length : -1
    if (found === count) return answer.bytes
    if (performance.now() > deadline) {
      throw new Error(`GET ${path} answered ${answer.status} with ${found} alerts, not ${count}`)
    }
    await setTimeout(20)
  }
}

/** @type {readonly ApiMeasure[]} */
export const apiMeasures = [
  posts('POST alerts in batches of 100, new', 0),
  posts('POST alerts in batches of 100, repeated', 60_000),
  gets(
    'GET alerts, filter =',
    `${alertsPath}?${new URLSearchParams({ filter: `instance="${someInstance}"` })}`,
    { count: countOf(alertCount, ({ instance }) => instance === someInstance), forMs: 150 },
  ),
  gets('GET alerts, all 10,000', alertsPath, { count: alertCount, forMs: 300 }),
]
