import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { availableSystems, startSystem } from '../alerts/systems.mjs'
import { hostileRequests } from './requests.mjs'

/** The interval of health checks, in ms. */
const probeEveryMs = 100
/** How long after a request its remaining memory is measured, in ms. */
const laterMs = 10_000

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {number[]} statuses
 * @property {number} answeredMs the longest time
 * @property {{ count: number, p50: number, p99: number, most: number }} probes
 * @property {{ peakMiB: number, laterMiB: number }} memory
 */

/**
 * Sends each request to a server of its own, and checks the server's health meanwhile.
 *
 * @param {{ count: number, only: string, isPeer: boolean }} options
 * @returns {Promise<Row[]>}
 */
export async function measureLoads({ count, only, isPeer }) {
  const wanted = isPeer ? 'alertmanager' : 'sqlite'
  const system = availableSystems(isPeer).find(({ id }) => id === wanted)
  if (system === undefined) throw new Error(`${wanted} is not available`)
  const rows = []
  for (const { name } of hostileRequests()) {
    if (!name.includes(only)) continue
    console.error(name)
    const server = await startSystem(system)
    const sender = new Worker(new URL('send.mjs', import.meta.url), {
      workerData: { port: server.port },
    })
    try {
      rows.push(await measureLoad(name, { count, server, sender }))
    } finally {
      await sender.terminate()
      await server.stop()
    }
  }
  return rows
}

/**
 * @param {string} name
 * @param {{ count: number, server: import('../alerts/systems.mjs').Running, sender: Worker }} options
 * @returns {Promise<Row>}
 */
async function measureLoad(name, { count, server, sender }) {
  /** @type {number[]} */
  const times = []
  const statuses = new Set()
  let answeredMs = 0
  for (let round = 0; round < count; round++) {
    let isOver = false
    const answered = new Promise((resolve) => {
      const take = (/** @type {any} */ message) => {
        if (message.isBegun) return
        sender.off('message', take)
        resolve(message)
      }
      sender.on('message', take)
    }).finally(() => {
      isOver = true
    })
    const begun = new Promise((resolve) => sender.once('message', resolve))
    sender.postMessage(name)
    await begun
    const probes = []
    // Work after the answer counts too: garbage collection, and deferred work.
    for (let late = 0; late < 5; late += isOver ? 1 : 0) {
      probes.push(probe(server.port).then((ms) => times.push(ms)))
      await wait(probeEveryMs)
    }
    await Promise.all(probes)
    const { status, ms } = /** @type {any} */ (await answered)
    statuses.add(status)
    answeredMs = Math.max(answeredMs, ms)
  }
  const peakMiB = server.peakMemoryKiB() / 1_024
  await wait(laterMs)
  times.sort((a, b) => a - b)
  const at = (/** @type {number} */ share) => times[Math.ceil(share * times.length) - 1] ?? 0
  return {
    name,
    statuses: [...statuses],
    answeredMs,
    probes: { count: times.length, p50: at(0.5), p99: at(0.99), most: at(1) },
    memory: { peakMiB, laterMiB: residentMiB(server.pid) },
  }
}

/** Opens a new connection each time, as health checks do. @param {number} port @returns {Promise<number>} ms */
function probe(port) {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const asked = request(
      { host: '127.0.0.1', port, path: '/-/healthy', agent: false },
      (answer) => {
        answer.resume()
        answer.once('end', () =>
          answer.statusCode === 200
            ? resolve(performance.now() - startedAt)
            : reject(new Error(`a probe was answered ${answer.statusCode}`)),
        )
      },
    )
    asked.once('error', reject)
    asked.end()
  })
}

/** @param {number} pid */
const residentMiB = (pid) =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024
