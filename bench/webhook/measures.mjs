// The measures, goal by goal. Each measure reports its figures one by one; report.mjs has the goals.
import { performance } from 'node:perf_hooks'
import { median } from '../lib/table.mjs'
import { expectStatus, load } from './load.mjs'
import { processorMs } from './process-tree.mjs'
import {
  connections,
  executors,
  startBare,
  startGatehouse,
  startHost,
  startPeer,
  wrongToken,
} from './systems.mjs'

/** @typedef {import('./systems.mjs').Running} Running */

/**
 * @typedef {object} Figure
 * @property {string} name a row of the report
 * @property {number} value
 * @property {number} [reference] the figure it is compared with, measured just before or after
 *
 * @typedef {(figure: Figure) => void} Tell
 */

/**
 * @typedef {object} Settings
 * @property {number} seconds how long one turn takes
 * @property {boolean} hasPeer
 * @property {string | undefined} main the program of Gatehouse
 */

/** @typedef {(settings: Settings, tell: Tell) => Promise<void>} Measure */

/** Turns in a round with the same servers. */
const turns = 3
/** Warm-up requests, because servers run for long. */
const warmUpRequests = 6_000
/** For measures with slow runs. */
const fewRequests = 600

/**
 * Starts servers, and ends them whatever happens.
 *
 * @template T
 * @param {(start: (starting: Promise<Running>) => Promise<Running>) => Promise<T>} use
 */
export async function withServers(use) {
  /** @type {Running[]} */
  const running = []
  try {
    return await use(async (starting) => {
      const server = await starting
      running.push(server)
      return server
    })
  } finally {
    for (const server of running) await server.stop()
  }
}

/** @param {Running} server @param {string} webhook @param {number} [requests] */
export async function warmUp({ port, request }, webhook, requests = warmUpRequests) {
  return load(request(webhook), { port, connections, requests })
}

/**
 * @param {Running} server
 * @param {Buffer} request
 * @param {{ seconds: number, status: number, connections?: number }} options
 */
async function rateOf({ port, pid }, request, { seconds, status, connections: at = connections }) {
  const before = processorMs(pid)
  const given = expectStatus(await load(request, { port, connections: at, seconds }), status)
  const processor = processorMs(pid) - before
  return { rate: given.answers / given.seconds, processorMs: processor / given.answers }
}

/** Runs in mode `sync`. @type {Measure} */
export async function measureRuns({ seconds, hasPeer, main }, tell) {
  await withServers(async (start) => {
    const ours = await start(startGatehouse({ main }))
    const peer = hasPeer ? await start(startPeer()) : undefined
    if (peer !== undefined) await warmUp(peer, 'auto')
    for (const executor of executors) {
      await warmUp(ours, executor, executor === 'direct' ? fewRequests : warmUpRequests)
    }
    for (let turn = 0; turn < turns; turn++) {
      for (const executor of executors) {
        const options = { seconds, status: 200 }
        const theirs = peer && (await rateOf(peer, peer.request('auto'), options))
        const { rate, processorMs: each } = await rateOf(ours, ours.request(executor), options)
        tell({ name: `G1 ${executor}`, value: rate, reference: theirs?.rate })
        tell({ name: `G1 ${executor} CPU`, value: each, reference: theirs?.processorMs })
      }
    }
  })
}

/** The same in a program that holds memory, compared with the program without it. @type {Measure} */
export async function measureMemory({ seconds }, tell) {
  await withServers(async (start) => {
    const light = await start(startHost({ bufferMiB: 0 }))
    const heavy = await start(startHost({ bufferMiB: 1_024 }))
    for (const server of [light, heavy]) await warmUp(server, 'auto')
    await warmUp(heavy, 'direct', 2 * connections)
    for (let turn = 0; turn < turns; turn++) {
      for (const executor of /** @type {const} */ (['auto', 'direct'])) {
        const options = { seconds, status: 200 }
        const reference = await rateOf(light, light.request(executor), options)
        const figure = await rateOf(heavy, heavy.request(executor), options)
        tell({ name: `G2 ${executor}`, value: figure.rate, reference: reference.rate })
      }
    }
  })
}

const pacedMs = 10

/** @type {Measure} */
export async function measureLoopDelay({ seconds }, tell) {
  await withServers(async (start) => {
    const host = await start(startHost({ bufferMiB: 1_024 }))
    await warmUp(host, 'auto')
    await warmUp(host, 'direct', 2 * connections)
    for (const kind of ['idle', 'auto', 'direct']) {
      await delayOf(host)
      const until = performance.now() + Math.max(seconds, 2) * 1_000
      /** @type {Promise<unknown>[]} */
      const runs = []
      while (performance.now() < until) {
        const { port } = host
        if (kind !== 'idle')
          runs.push(load(host.request(kind), { port, connections: 1, requests: 1 }))
        await new Promise((resolve) => setTimeout(resolve, pacedMs))
      }
      // Queued runs count towards the others.
      tell({ name: `G3 ${kind}`, value: await delayOf(host) })
      await Promise.all(runs)
    }
  })
}

/** @param {Running} host @returns {Promise<number>} the 99th percentile since the last call, in ms */
async function delayOf({ port }) {
  const answer = await fetch(`http://127.0.0.1:${port}/delay`)
  return (await answer.json()).p99Ms
}

/** Requests with a wrong token. @type {Measure} */
export async function measureRefusals({ seconds, hasPeer, main }, tell) {
  await withServers(async (start) => {
    const ours = await start(startGatehouse({ main }))
    const bare = await start(startBare())
    const peer = hasPeer ? await start(startPeer()) : undefined
    const loggingPeer = hasPeer ? await start(startPeer({ writesLog: true })) : undefined
    /** @param {Running | undefined} server @param {number} status */
    const refusals = async (server, status) =>
      server && rateOf(server, server.request('auto', wrongToken), { seconds, status })
    for (const { request, port } of [ours, bare]) {
      await load(request('auto', wrongToken), { port, connections, requests: 20_000 })
    }
    for (let turn = 0; turn < turns; turn++) {
      // The program webhook answers a mismatch with 200 and a text.
      const theirs = await refusals(peer, 200)
      const own = await refusals(ours, 401)
      const logging = await refusals(loggingPeer, 200)
      const least = await refusals(bare, 401)
      if (own === undefined || least === undefined) throw new Error('a server is missing')
      tell({ name: 'G5', value: own.rate, reference: theirs?.rate })
      tell({ name: 'G5 CPU', value: own.processorMs, reference: theirs?.processorMs })
      tell({ name: 'G5 both log', value: own.rate, reference: logging?.rate })
      tell({ name: 'G5 bare', value: least.rate, reference: theirs?.rate })
    }
  })
}

/** Bodies of 1 MB: one long text, and many objects. */
const bodies = {
  text: { text: 'x'.repeat(1_000_000) },
  objects: Array.from({ length: 5_500 }, (_, id) => ({
    id,
    name: `item ${id}`,
    url: `https://example.com/path/${id}`,
    ok: true,
    tags: ['a', 'b'],
    ratio: id * 1.5,
    nested: { a: null, b: 'some text here' },
  })),
}
/** Few, because each has a body in memory. */
const bodyConnections = 4

/** @type {Measure} */
export async function measureBodies({ seconds, hasPeer, main }, tell) {
  await withServers(async (start) => {
    const ours = await start(startGatehouse({ main }))
    const peer = hasPeer ? await start(startPeer()) : undefined
    for (let turn = 0; turn <= turns; turn++) {
      for (const [kind, data] of Object.entries(bodies)) {
        for (const [outcome, token, statuses] of /** @type {const} */ ([
          ['refused', wrongToken, [401, 200]],
          ['accepted', undefined, [200, 200]],
        ])) {
          const rate = async (/** @type {Running} */ server, /** @type {number} */ status) =>
            rateOf(server, server.request('auto', token, { items: data }), {
              seconds,
              status,
              connections: bodyConnections,
            })
          const theirs = peer && (await rate(peer, statuses[1]))
          const own = await rate(ours, statuses[0])
          if (turn === 0) continue // The first turn warms up.
          const name = `G9 ${kind} ${outcome}`
          tell({ name, value: own.rate, reference: theirs?.rate })
          tell({ name: `${name} CPU`, value: own.processorMs, reference: theirs?.processorMs })
        }
      }
    }
  })
}

/** One request after another. @type {Measure} */
export async function measureLatency({ seconds, hasPeer, main }, tell) {
  await withServers(async (start) => {
    const ours = await start(startGatehouse({ main }))
    const peer = hasPeer ? await start(startPeer()) : undefined
    /** @param {Running} server @param {string} webhook */
    const latency = async ({ port, request }, webhook) => {
      const given = await load(request(webhook), { port, connections: 1, seconds })
      return median(expectStatus(given, 200).latencies)
    }
    if (peer !== undefined) await warmUp(peer, 'auto')
    for (const executor of ['auto', 'direct']) await warmUp(ours, executor, fewRequests)
    for (let turn = 0; turn < turns; turn++) {
      for (const executor of ['auto', 'direct']) {
        const reference = peer && (await latency(peer, 'auto'))
        tell({ name: `G7 ${executor}`, value: await latency(ours, executor), reference })
      }
    }
  })
}
