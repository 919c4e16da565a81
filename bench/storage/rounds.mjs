// Rounds over everything that is compared, and what came of them.
import { median } from '../lib/table.mjs'

/**
 * What was measured, by the name of the measure and of what it was measured on.
 *
 * @template {string} Id
 * @typedef {Map<string, Map<Id, number[]>>} Samples
 */

/**
 * @template {string} Id
 * @typedef {(name: string, id: Id, values: number | readonly number[]) => void} Record
 */

/**
 * Calls `measureRound` with the same things in another order each time.
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
 * What 99 of 100 do not exceed.
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
