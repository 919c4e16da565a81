// Prints the figures as tables.
import { table } from '../lib/table.mjs'
import { plainAlone, plainTogether } from './measures.mjs'
import { connections } from './servers.mjs'

/** @typedef {import('./measure-storages.mjs').Row} Row */
/** @typedef {import('./measure-api.mjs').ApiRow} ApiRow */
/** @typedef {import('./places.mjs').StoreId} StoreId */

/** @type {readonly StoreId[]} */
const stores = ['memory', 'sqlite', 'postgres']

/** @param {number} value */
function shortNumber(value) {
  if (value >= 100) return Math.round(value).toLocaleString('en-US')
  return value.toFixed(value >= 10 ? 1 : 2)
}

/** @param {{ times: number, goal: number, met: boolean }} verdict */
const verdictText = ({ times, goal, met }) =>
  `${shortNumber(times)}x the time of memory (<= ${goal}x ${met ? 'met' : 'MISSED'})`

/** @param {Row} row */
const isPlain = ({ name }) => name === plainAlone || name === plainTogether

/**
 * The speed of the database by itself.
 *
 * @param {readonly Row[]} rows
 * @returns {string} one line, or an empty text if it was not measured
 */
export function plainLine(rows) {
  const [alone, together] = [plainAlone, plainTogether].map(
    (wanted) => rows.find(({ name }) => name === wanted)?.medians.postgres,
  )
  const parts = [
    ...(alone === undefined ? [] : [`${shortNumber(alone)}/s one after another`]),
    ...(together === undefined ? [] : [`${shortNumber(together)}/s with 8 clients at once`]),
  ]
  return parts.length === 0 ? '' : `plain pg, upserts of one row in autocommit: ${parts.join(', ')}`
}

/**
 * One line for each measure of a Storage: the medians, and the comparison for PostgreSQL. Empty if nothing was measured.
 *
 * @param {readonly Row[]} rows
 */
export function storageFigures(rows) {
  const shown = rows.filter((row) => !isPlain(row))
  if (shown.length === 0) return ''
  const ids = stores.filter((id) => shown.some(({ medians }) => medians[id] !== undefined))
  const body = shown.map((row) => [
    row.name,
    ...ids.map((id) => storageCell(row, id)),
    againstText(row),
  ])
  const title = 'A Storage in this process; a commit to SQLite survives its end, not a power cut'
  return `${title}\n\n${withoutEmptyEnd([['measure', ...ids, 'postgres is'], ...body])}`
}

/** @param {Row} row @param {StoreId} id */
function storageCell({ unit, medians, p99s }, id) {
  const [value, p99] = [medians[id], p99s?.[id]]
  if (value === undefined) return ''
  const text = unit === '/s' ? `${shortNumber(value)}/s` : `${shortNumber(value)} ms`
  return p99 === undefined ? text : `${text}, p99 ${shortNumber(p99)} ms`
}

/** @param {Row} row */
function againstText({ ofPlain, ofMemory }) {
  if (ofPlain !== undefined) return `${shortNumber(ofPlain.times)}x ${ofPlain.name}`
  return ofMemory === undefined ? '' : verdictText(ofMemory)
}

/**
 * One line for each measure of the alert API: the medians, and how many times as much as in memory. Empty if nothing was
 * measured.
 *
 * @param {readonly ApiRow[]} rows
 */
export function apiFigures(rows) {
  if (rows.length === 0) return ''
  /** @type {(keyof ApiRow['medians'])[]} */
  const all = ['memory', 'sqlite', 'postgres, 1', 'postgres, 2', 'postgres, 4']
  const ids = all.filter((id) => rows.some(({ medians }) => medians[id] !== undefined))
  const body = rows.map(({ name, medians, ofMemory, verdict }) => [
    name,
    ...ids.map((id) => {
      const [value, ratio] = [medians[id], ofMemory[id]]
      if (value === undefined) return ''
      const text = `${shortNumber(value)}/s`
      return ratio === undefined ? text : `${text} (${shortNumber(ratio)}x)`
    }),
    verdict === undefined ? '' : verdictText(verdict),
  ])
  const title = `The alert API over ${connections} connections; PostgreSQL with 1, 2 and 4 processes (times memory)`
  return `${title}\n\n${withoutEmptyEnd([['measure', ...ids, 'postgres, 1 is'], ...body])}`
}

/**
 * A table without its last column, if that column is empty.
 *
 * @param {readonly string[][]} rows
 */
function withoutEmptyEnd([head = [], ...body]) {
  if (body.some((row) => row.at(-1) !== '')) return table([head, ...body])
  return table([head, ...body].map((row) => row.slice(0, -1)))
}
