// The collections and records for every store.
import { defineCollection } from '@gatehouse/core/store'

/**
 * @typedef {object} Entry about 500 bytes as JSON
 * @property {string} group 20 of 10,000 records share one
 * @property {number} turn distinguishes two states of a record
 * @property {string} text
 */

/** @typedef {import('@gatehouse/core/store').TypedCollection<Entry>} Entries */

/** @type {Entries} */
export const plain = defineCollection({ name: 'bench_plain' })
/** @type {Entries} */
export const fed = defineCollection({ name: 'bench_fed', feed: true })
/** @type {Entries} */
export const indexed = defineCollection({ name: 'bench_indexed', fields: { group: 'text' } })
/** @type {Entries} */
export const viewed = defineCollection({ name: 'bench_viewed', feed: true })

/** How many records `indexed` and `viewed` have. */
export const stock = 10_000
export const perGroup = 20

const text = 'what was written about this record, '.repeat(13).slice(0, 450)

/** @param {number} i */
export const idOf = (i) => `record-${String(i).padStart(6, '0')}`

/** @param {number} i */
export const groupOf = (i) => `group-${i % (stock / perGroup)}`

/** @param {number} i @param {number} turn @returns {Entry} */
export const entryOf = (i, turn) => ({ group: groupOf(i), turn, text })

/**
 * The writes of `count` records, starting with `first`.
 *
 * @param {Entries} collection
 * @param {number} first
 * @param {{ count: number, turn: number }} options
 */
export function writesOf(collection, first, { count, turn }) {
  return Array.from({ length: count }, (_, i) =>
    collection.write(idOf(first + i), entryOf(first + i, turn)),
  )
}
