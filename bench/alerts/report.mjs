// Prints the figures as tables.
import { table } from '../lib/table.mjs'

/** @typedef {import('./measure.mjs').Row} Row */
/** @typedef {import('./systems.mjs').SystemId} SystemId */

/** @param {number} value */
function shortNumber(value) {
  if (value >= 100) return value.toFixed(0)
  return value.toFixed(value >= 10 ? 1 : 2)
}

/**
 * @param {import('./measure.mjs').Verdict | undefined} verdict
 * @param {Row['unit']} unit
 */
function verdictText(verdict, unit) {
  if (verdict === undefined) return ''
  const { ratio, spread, goal, met } = verdict
  return `${shortNumber(ratio)}x, ${spread.map(shortNumber).join('-')} (${unit === 'ms' ? '>=' : '<='} ${goal}x ${met ? 'met' : 'MISSED'})`
}

/**
 * One line for each measure: the medians, and for Gatehouse also how many times as fast as Alertmanager it is (for memory: how
 * many times as much).
 *
 * @param {readonly SystemId[]} ids
 * @param {readonly Row[]} rows
 */
export function figures(ids, rows) {
  const hasPeer = ids.includes('alertmanager')
  const head = ids.flatMap((id) =>
    id === 'alertmanager' || !hasPeer ? [id] : [id, 'ratio, spread (goal)'],
  )
  const body = rows.map(({ name, unit, medians, against }) => [
    name,
    ...ids.flatMap((id) => {
      const value = medians[id]
      const cell = value === undefined ? '' : `${shortNumber(value)} ${unit}`
      return id === 'alertmanager' || !hasPeer ? [cell] : [cell, verdictText(against[id], unit)]
    }),
  ])
  return table([['measure', ...head], ...body])
}

/**
 * How many times as much the larger run takes. For linear work that equals the ratio of the counts.
 *
 * @param {readonly SystemId[]} ids
 * @param {readonly Row[]} small
 * @param {readonly Row[]} large
 */
export function growth(ids, small, large) {
  const body = large.map(({ name, medians }) => {
    const before = small.find((row) => row.name === name)?.medians ?? {}
    const cells = ids.map((id) => {
      const [from, to] = [before[id], medians[id]]
      return from === undefined || to === undefined ? '' : `${shortNumber(to / from)}x`
    })
    return [name, ...cells]
  })
  return table([['measure', ...ids], ...body])
}
