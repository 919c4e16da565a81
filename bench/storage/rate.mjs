// How often a second something can be done.
import { performance } from 'node:perf_hooks'

/**
 * @typedef {object} RateOptions
 * @property {number} forMs how long it is measured; before that it is done for a fifth of it
 * @property {number} [atOnce] how many are under way at once (default 1)
 * @property {number} [each] how much one call does (default 1)
 */

/**
 * Calls `work` again and again.
 *
 * @param {(call: number) => Promise<unknown>} work told how many calls there were before
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
