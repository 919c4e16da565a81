// Prints the figures as a table with their goals.
import { median, table } from '../lib/table.mjs'

/** @typedef {import('./measures.mjs').Figure} Figure */

/**
 * A row and its goal: a bound for the figure itself or for its ratio to the reference.
 *
 * @typedef {object} Row
 * @property {string} text
 * @property {string} unit
 * @property {'value' | 'ratio'} [of]
 * @property {number} [least]
 * @property {number} [most]
 */

/** Every row, by the name of its figures. @type {Readonly<Record<string, Row>>} */
export const rows = {
  'G1 auto': { text: 'runs, executor auto', unit: '/s', of: 'ratio', least: 0.9 },
  'G1 launcher': { text: 'runs, executor launcher', unit: '/s', of: 'ratio', least: 0.9 },
  'G1 direct': { text: 'runs, executor direct', unit: '/s', of: 'ratio', least: 0.2 },
  'G1 auto CPU': { text: 'processor of a run, auto', unit: 'ms', of: 'ratio', most: 1.25 },
  'G1 launcher CPU': { text: 'processor of a run, launcher', unit: 'ms', of: 'ratio', most: 1.25 },
  'G1 direct CPU': { text: 'processor of a run, direct', unit: 'ms' },
  'G2 auto': { text: 'runs with 1 GiB beside them, auto', unit: '/s', of: 'ratio', least: 0.8 },
  'G2 direct': { text: 'runs with 1 GiB beside them, direct', unit: '/s' },
  'G3 idle': { text: 'event loop delay p99, 1 GiB, no runs', unit: 'ms' },
  'G3 auto': { text: 'event loop delay p99, 100 runs/s, auto', unit: 'ms', of: 'value', most: 10 },
  'G3 direct': { text: 'event loop delay p99, 100 runs/s, direct', unit: 'ms' },
  'G4 accepted': { text: 'burst of 3 s, long line: accepted', unit: '/s', of: 'ratio', least: 1 },
  'G4 answers': { text: 'burst of 3 s, usual line: answered', unit: '/s', of: 'ratio', least: 1 },
  'G4 CPU': { text: 'processor of one of them, long line', unit: 'ms' },
  'G4 memory': { text: 'memory growth, long line', unit: 'MiB', of: 'value', most: 64 },
  'G4 memory in bounds': { text: 'memory growth, usual line', unit: 'MiB', of: 'value', most: 64 },
  'G4 ended': {
    text: 'accepted ones with a record that ended',
    unit: '%',
    of: 'value',
    least: 100,
  },
  G5: { text: 'requests with a wrong token', unit: '/s', of: 'ratio', least: 0.7 },
  'G5 CPU': { text: 'processor of one of them', unit: 'ms' },
  'G5 both log': { text: 'the same, the other one with its log', unit: '/s' },
  'G5 bare': { text: 'the same, of a bare node:http server', unit: '/s' },
  'G6 status': { text: 'body of 400 MiB: status', unit: '', of: 'value', least: 413, most: 413 },
  'G6 memory': { text: 'memory growth', unit: 'MiB', of: 'value', most: 8 },
  'G6 memory, length not said': {
    text: 'memory growth, length not said',
    unit: 'MiB',
    of: 'value',
    most: 8,
  },
  'G7 auto': { text: 'one connection, median latency, auto', unit: 'ms', of: 'ratio', most: 1.18 },
  'G7 direct': { text: 'one connection, median latency, direct', unit: 'ms' },
  'G8 processes': { text: 'after 10,000 runs: processes left', unit: '', of: 'value', most: 0 },
  'G8 descriptors': { text: 'after 10,000 runs: descriptors more', unit: '', of: 'value', most: 0 },
  'G8 memory': { text: 'after 10,000 runs: memory more', unit: 'MiB', of: 'value', most: 20 },
  ...Object.fromEntries(
    ['text', 'objects'].flatMap((kind) =>
      ['refused', 'accepted'].flatMap((outcome) => [
        [
          `G9 ${kind} ${outcome}`,
          { text: `1 MB of ${kind}, ${outcome}`, unit: '/s', of: 'ratio', least: 1 },
        ],
        [`G9 ${kind} ${outcome} CPU`, { text: 'processor of one of them', unit: 'ms' }],
      ]),
    ),
  ),
}

/** @param {number} value */
function shortNumber(value) {
  if (Math.abs(value) >= 100 || Number.isInteger(value)) return value.toFixed(0)
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}

/**
 * One line for each row: the medians of the figure, of its reference, and of the ratio of the two with its least and most.
 *
 * @param {readonly Figure[]} figures
 */
export function report(figures) {
  const body = Object.entries(rows).flatMap(([name, row]) => {
    const own = figures.filter((figure) => figure.name === name)
    return own.length === 0 ? [] : [line(name, row, own)]
  })
  return table([
    ['goal and figure', 'Gatehouse', 'compared with', 'ratio', 'spread', 'goal'],
    ...body,
  ])
}

/** @param {string} name @param {Row} row @param {readonly Figure[]} own */
function line(name, { text, unit, of, least, most }, own) {
  const pairs = own.flatMap(({ value, reference }) =>
    reference === undefined ? [] : [{ value, reference }],
  )
  const value = median(own.map((figure) => figure.value))
  const reference = pairs.length === 0 ? undefined : median(pairs.map((pair) => pair.reference))
  const ratios = pairs.map((pair) => pair.value / pair.reference)
  const ratio = ratios.length === 0 ? undefined : median(ratios)
  const judged = of === 'ratio' ? ratio : value
  const shown = (/** @type {number | undefined} */ number, /** @type {string} */ suffix) =>
    number === undefined ? '' : `${shortNumber(number)}${suffix}`
  const suffix = unit === '' ? '' : ` ${unit}`
  return [
    `${name.slice(0, 2)}  ${text}`,
    shown(value, suffix),
    shown(reference, suffix),
    shown(ratio, 'x'),
    ratio === undefined
      ? ''
      : `${shortNumber(Math.min(...ratios))}-${shortNumber(Math.max(...ratios))}`,
    judged === undefined || of === undefined
      ? ''
      : verdict(judged, { of, least, most, unit: suffix }),
  ]
}

/** @param {number} judged @param {{ of: string, least: number | undefined, most: number | undefined, unit: string }} goal */
function verdict(judged, { of, least = -Infinity, most = Infinity, unit }) {
  const suffix = of === 'ratio' ? 'x' : unit
  const bound = least === most ? `= ${least}` : least > -Infinity ? `>= ${least}` : `<= ${most}`
  return `${bound}${suffix} ${judged >= least && judged <= most ? 'met' : 'MISSED'}`
}
