// Prints the figures as a table.
import { median, table } from '../lib/table.mjs'

/** @typedef {import('../alerts/systems.mjs').SystemId} SystemId */
/** @typedef {import('./measures.mjs').Figures} Figures */
/** @typedef {import('./measures.mjs').Sizes} Sizes */

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string} unit
 * @property {'more' | 'less'} better
 * @property {{ least: number } | { most: number }} [goal] how many times as good as Alertmanager, or the figure itself
 */

/**
 * @param {Sizes} sizes
 * @returns {Record<string, Row>}
 */
export const rows = ({ groups, busy, idle }) => ({
  first: {
    name: `first notifications of ${groups} groups`,
    unit: 'ms',
    better: 'less',
    goal: { least: 1 },
  },
  rate: {
    name: `notifications a second, ${busy} groups`,
    unit: '/s',
    better: 'more',
    goal: { least: 1 },
  },
  each: { name: 'processor time of one of them', unit: 'ms', better: 'less' },
  idle: { name: `${idle} idle groups, processor`, unit: '%', better: 'less', goal: { most: 2 } },
  memory: { name: `${idle} groups, peak memory`, unit: 'MiB', better: 'less' },
})

/** @param {number} value */
function shortNumber(value) {
  if (value >= 100) return value.toFixed(0)
  return value.toFixed(value >= 10 ? 1 : 2)
}

/**
 * The medians, and for Gatehouse also how many times as good as Alertmanager it is.
 *
 * @param {readonly SystemId[]} ids
 * @param {ReadonlyMap<SystemId, readonly Figures[]>} rounds
 * @param {Sizes} sizes
 */
export function figures(ids, rounds, sizes) {
  const hasPeer = ids.includes('alertmanager')
  const body = Object.entries(rows(sizes)).flatMap(([key, row]) => {
    /** @type {Partial<Record<SystemId, number>>} */
    const medians = {}
    for (const id of ids) {
      const values = (rounds.get(id) ?? []).flatMap((round) => (key in round ? [round[key]] : []))
      if (values.length > 0) medians[id] = median(values)
    }
    if (Object.keys(medians).length === 0) return []
    const cells = ids.flatMap((id) => {
      const value = medians[id]
      const cell = value === undefined ? '' : `${shortNumber(value)} ${row.unit}`
      const isOurs = id !== 'alertmanager' && hasPeer
      return isOurs ? [cell, verdict(row, value, medians.alertmanager)] : [cell]
    })
    return [[row.name, ...cells]]
  })
  const head = ids.flatMap((id) =>
    id === 'alertmanager' || !hasPeer ? [id] : [id, 'ratio (goal)'],
  )
  return table([['measure', ...head], ...body])
}

/**
 * @param {Row} row
 * @param {number | undefined} value
 * @param {number | undefined} peer
 */
function verdict({ better, goal }, value, peer) {
  if (value === undefined || peer === undefined) return ''
  const ratio = better === 'more' ? value / peer : peer / value
  const times = Number.isFinite(ratio) ? `${shortNumber(ratio)}x` : ''
  if (goal === undefined) return times
  const [text, isMet] =
    'least' in goal
      ? [`>= ${goal.least}x`, ratio >= goal.least]
      : [`<= ${goal.most}`, value <= goal.most]
  return `${times} (${text} ${isMet ? 'met' : 'MISSED'})`
}
