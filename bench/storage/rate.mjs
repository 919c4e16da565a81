// Measures how often per second work can be done.
import { performance } from 'node:perf_hooks'

/**
 * @typedef {object} RateOptions
 * @property {number} forMs how long it is measured, after a warm-up of a fifth of that time
 * @property {number} [atOnce] how many calls run at once (default 1)
 * @property {number} [each] how many operations one call does (default 1)
 */

/**
 * Calls `work` again and again.
 *
 * @param {(call: number) => Promise<unknown>} work gets the number of calls before it
 * @param {RateOptions} options
 * @returns {Promise<number>} per second
 */
export async function rate(work, { forMs, atOnce = 1, each = 1 }) {
  let calls = 0
  let done = 0
  const runFor = async (/** @type {number} */ lengthMs) => {
    const start = performance.now()
    const callAgain = async () => {
      while (performance.now() - start < lengthMs) {
        await work(calls++)
        done++
      }
    }
    await Promise.all(Array.from({ length: atOnce }, callAgain))
    return performance.now() - start
  }
  await runFor(forMs / 5)
  done = 0
  const elapsedMs = await runFor(forMs)
  return (done * each * 1_000) / elapsedMs
}
