// Runs rounds over all compared systems and collects their figures.
import { median } from '../lib/table.mjs'

/**
 * Measured values by the name of the measure and the id of the measured system.
 *
 * @template {string} Id
 * @typedef {Map<string, Map<Id, number[]>>} Samples
 */

/**
 * @template {string} Id
 * @typedef {(name: string, id: Id, values: number | readonly number[]) => void} Record
 */

/**
 * Calls `measureRound` once a round with the same ids, each time in another order.
 *
 * @template {string} Id
 * @param {{ title: string, rounds: number, ids: readonly Id[] }} options
 * @param {(order: readonly Id[], record: Record<Id>) => Promise<void>} measureRound
 * @returns {Promise<Samples<Id>>}
 */
export async function inRounds({ title, rounds, ids }, measureRound) {
  /** @type {Samples<Id>} */
  const samples = new Map()
  for (let round = 0; round < rounds; round++) {
    console.error(`${title}, round ${round + 1} of ${rounds}`)
    const turn = round % ids.length
    const order = [...ids.slice(turn), ...ids.slice(0, turn)]
    await measureRound(order, (name, id, values) => {
      const row = samples.get(name) ?? new Map()
      samples.set(name, row.set(id, [...(row.get(id) ?? []), ...[values].flat()]))
    })
  }
  return samples
}

/**
 * @template {string} Id
 * @param {Samples<Id>} samples
 * @param {string} name
 * @returns {{ [id in Id]?: number }}
 */
export function mediansOf(samples, name) {
  return picked(samples, name, median)
}

/**
 * The 99th percentiles.
 *
 * @template {string} Id
 * @param {Samples<Id>} samples
 * @param {string} name
 * @returns {{ [id in Id]?: number }}
 */
export function p99sOf(samples, name) {
  return picked(samples, name, (values) => {
    const sorted = [...values].sort((a, b) => a - b)
    return sorted[Math.ceil(sorted.length * 0.99) - 1]
  })
}

/**
 * @template {string} Id
 * @param {Samples<Id>} samples
 * @param {string} name
 * @param {(values: readonly number[]) => number | undefined} pick
 * @returns {{ [id in Id]?: number }}
 */
function picked(samples, name, pick) {
  const byId = [...(samples.get(name) ?? [])].map(([id, values]) => [id, pick(values)])
  return Object.fromEntries(byId)
}
