// The measures of one system: how fast it notifies, how much CPU and memory that takes, and the cost of groups with nothing to
// send.
import { performance } from 'node:perf_hooks'
import { alertsOf } from './alerts.mjs'
import { startReceiver } from './receiver.mjs'
import { startSystem } from './systems.mjs'

/** @typedef {import('./systems.mjs').System} System */
/** @typedef {import('./systems.mjs').Running} Running */
/** @typedef {import('./systems.mjs').Timing} Timing */
/** @typedef {import('./receiver.mjs').Receiver} Receiver */

/**
 * @typedef {object} Sizes
 * @property {number} groups how many are notified for the first time
 * @property {number} busy how many have something to send at every tick
 * @property {number} idle how many have nothing to send
 */

/** @typedef {Record<string, number>} Figures by the names of `rows` in report.mjs */

const patienceMs = 120_000
/** How long ticks are counted and idle groups are watched, in ms. */
const ticksMs = 10_000
const idleMs = 20_000

/** @param {number} ms */
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * @param {System} system
 * @param {Timing} timing
 * @param {(running: Running, receiver: Receiver) => Promise<Figures>} work
 * @returns {Promise<Figures>}
 */
async function withSystem(system, timing, work) {
  const receiver = await startReceiver()
  try {
    const running = await startSystem(system, { url: receiver.url, timing })
    try {
      return await work(running, receiver)
    } finally {
      await running.stop()
    }
  } finally {
    await receiver.stop()
  }
}

/**
 * From the first post to the first notification of the last group. Servers run for weeks, so the first notifications after the
 * start are not measured.
 *
 * @param {System} system
 * @param {Sizes} sizes
 */
export function measureFirst(system, { groups }) {
  const timing = { wait: '0s', interval: '2h', repeat: '12h' }
  return withSystem(system, timing, async (running, receiver) => {
    const notifyAll = async (/** @type {string} */ series) => {
      receiver.forget()
      const alerts = alertsOf(groups, series)
      const start = performance.now()
      const heard = receiver.heardOf(groups, patienceMs)
      await running.post(alerts)
      await heard
      return performance.now() - start
    }
    await notifyAll('warm')
    await notifyAll('warmer')
    return { first: await notifyAll('measured') }
  })
}

/**
 * Every group is due each second and has something to send each time: more than any system can do.
 *
 * @param {System} system
 * @param {Sizes} sizes
 */
export function measureTicks(system, { busy }) {
  const timing = { wait: '0s', interval: '1s', repeat: '1ms' }
  return withSystem(system, timing, async (running, receiver) => {
    const heard = receiver.heardOf(busy, patienceMs)
    await running.post(alertsOf(busy, 'busy'))
    await heard
    await sleep(2_000)
    const before = { count: receiver.count(), ms: running.processorMs(), at: performance.now() }
    await sleep(ticksMs)
    const count = receiver.count() - before.count
    return {
      rate: (count * 1_000) / (performance.now() - before.at),
      each: (running.processorMs() - before.ms) / count,
    }
  })
}

/**
 * Groups that wait for their next tick.
 *
 * @param {System} system
 * @param {Sizes} sizes
 */
export function measureIdle(system, { idle }) {
  const timing = { wait: '0s', interval: '2h', repeat: '12h' }
  return withSystem(system, timing, async (running, receiver) => {
    const heard = receiver.heardOf(idle, patienceMs)
    await running.post(alertsOf(idle, 'idle'))
    await heard
    await sleep(3_000)
    const before = { ms: running.processorMs(), at: performance.now() }
    await sleep(idleMs)
    const share = (running.processorMs() - before.ms) / (performance.now() - before.at)
    return { idle: share * 100, memory: running.peakMemoryKiB() / 1_024 }
  })
}
