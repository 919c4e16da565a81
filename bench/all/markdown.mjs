// Writes the rows of all comparisons as a document.

/** @typedef {import('./comparisons.mjs').Row} Row */

/** @param {number | undefined} value @param {string} [unit] */
function shown(value, unit = '') {
  if (value === undefined) return ''
  const isLarge = Math.abs(value) >= 100 || Number.isInteger(value)
  const text = value.toFixed(isLarge ? 0 : Math.abs(value) >= 10 ? 1 : 2)
  return unit === '' ? text : `${text} ${unit}`
}

/** @param {Row} row */
function line({ what, unit, ours, theirs, ratio, spread }) {
  const times = ratio === undefined ? '' : `${shown(ratio)}×`
  const range = spread === undefined ? '' : spread.map((one) => shown(one)).join('–')
  return `| ${[what, shown(ours, unit), shown(theirs, unit), times, range].join(' | ')} |`
}

/**
 * @param {object} given
 * @param {{ date: string, node: string, cpu: string, cpus: number, memoryGiB: number }} given.machine
 * @param {number} given.rounds
 * @param {readonly { title: string, rows: readonly Row[], notes?: readonly string[] }[]} given.parts
 * @returns {string}
 */
export function markdown({ machine, rounds, parts }) {
  const { date, node, cpu, cpus, memoryGiB } = machine
  const tables = parts.flatMap(({ title, rows, notes = [] }) => [
    `## ${title}`,
    '',
    '| measure | Gatehouse | the other program | ratio | spread |',
    '|---|---|---|---|---|',
    ...rows.map(line),
    '',
    ...(notes.length === 0 ? [] : [...notes, '']),
  ])
  return [
    '# Benchmarks',
    '',
    `Written by \`npm run bench -- all\` on ${date}: ${rounds === 1 ? 'one round' : `medians of ${rounds} rounds`}, Node.js ${node},`,
    `${cpus} × ${cpu}, ${memoryGiB} GiB of memory. Servers and clients share the machine. A ratio above 1`,
    'means that Gatehouse is better; the spread is the least and the largest ratio of all rounds.',
    '',
    ...tables,
  ].join('\n')
}
