// Prints the figures as tables.

import { table } from '../lib/table.mjs'
import { leastCost, peerVersion, usualCost } from './contenders.mjs'

/** @typedef {Record<string, number>} Figures by the names of `rows` */
/** @typedef {import('./timing.mjs').Comparison} Comparison */
/** @typedef {import('./throughput.mjs').Pair} Pair */
/** @typedef {import('./state-sizes.mjs').StateSize} StateSize */

/** @type {Readonly<Record<string, { unit: string, least?: number, most?: number }>>} */
const rows = {
  'flows created': { unit: '/s', least: 5_000 },
  'flows created, 64 at once': { unit: '/s' },
  'inputs without a hash': { unit: '/s' },
  'input without a hash, p50': { unit: 'ms' },
  'input without a hash, p99': { unit: 'ms', most: 5 },
  'storage operations of a sign-up of 9 requests': { unit: '', most: 40 },
  'commits among them': { unit: '' },
  'logins with a password': { unit: '/s' },
  'event-loop delay meanwhile, p99': { unit: 'ms' },
}

/** @param {number} value */
function shortNumber(value) {
  if (Number.isInteger(value) || value >= 100) return value.toFixed(0)
  return value.toFixed(value >= 10 ? 1 : 2)
}

/** @param {Figures} figures */
export function goalFigures(figures) {
  const body = Object.entries(rows).map(([name, { unit, least, most }]) => {
    const value = figures[name]
    const goal = least === undefined ? most && `<= ${most}` : `>= ${least}`
    const isMet = value >= (least ?? value) && value <= (most ?? value)
    const verdict = goal === undefined ? '' : `${goal} ${isMet ? 'met' : 'MISSED'}`
    return [name, `${shortNumber(value)} ${unit}`.trim(), verdict]
  })
  return table([['measure', '', 'goal'], ...body])
}

/** The bounds for the ratio of ours to theirs. */
const peerGoals = { '/s': { least: 1 }, ms: { most: 2 } }

/** @param {readonly Pair[]} pairs */
export function peerFigures(pairs) {
  const body = pairs.map(({ name, unit, ours, theirs, error = 0 }) => {
    const { least, most } = { least: 0, most: Number.POSITIVE_INFINITY, ...peerGoals[unit] }
    const ratio = ours / theirs
    const goal = least > 0 ? `>= ${least}x` : `<= ${most}x`
    const isMet = ratio >= least && ratio <= most
    const isEven = ratio + 2 * error >= least && ratio <= most
    const verdict = isMet ? 'met' : isEven ? 'as good as met' : 'MISSED'
    const values = [ours, theirs].map((value) => `${shortNumber(value)} ${unit}`)
    return [
      name,
      ...values,
      `${ratio.toFixed(2)}x${error === 0 ? '' : ` ±${error.toFixed(2)}`}`,
      `${goal} ${verdict}`,
    ]
  })
  const { N, r, p } = usualCost
  return [
    `Beside better-auth ${peerVersion}, both on SQLite, with scrypt of N=${N}, r=${r}, p=${p}, its own; as good as no hash is N=${leastCost.N}.`,
    'What hashes nothing is set beside its look-up of a session (get-session), and counts attempts; the others do not, on either side.',
    '',
    table([['measure', 'Gatehouse', 'better-auth', 'ratio', 'goal'], ...body]),
  ].join('\n')
}

/** In bytes. */
const maxOfState = 20 * 1_024

/** @param {readonly StateSize[]} sizes */
export function stateFigures(sizes) {
  const body = sizes.map(({ config, flow, ways, bytes }) => {
    const verdict = bytes <= maxOfState ? 'met' : 'MISSED'
    return [config, flow, `${ways}`, `${bytes} bytes`, `<= ${maxOfState} ${verdict}`]
  })
  return table([['flows of', 'flow', 'ways', 'largest stored state', 'goal'], ...body])
}

/**
 * @param {readonly Comparison[]} times
 * @param {{ samples: number, cost: number }} options
 */
export function timingFigures(times, { samples, cost }) {
  const body = times.map(({ request, kind, against, medianMs, againstMs, t, z, shorter }) => [
    request,
    `${kind} / ${against}`,
    `${medianMs.toFixed(3)} / ${againstMs.toFixed(3)} ms`,
    t.toFixed(1),
    z.toFixed(1),
    `${(shorter * 100).toFixed(0)} %`,
  ])
  const head = ['request', 'users', 'medians', "Welch's t", 'Mann-Whitney z', 'shorter']
  return [
    `Times of ${samples} requests each, in turns, with scrypt of ${cost} rounds. Above about 3, t and z are not chance;`,
    '"shorter" is how often a time of the first kind is below one of the second: what a single request reveals (50 %: nothing).',
    '',
    table([head, ...body]),
  ].join('\n')
}
