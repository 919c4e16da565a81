// How soon a fresh process works, and what it takes: Gatehouse beside Alertmanager and the program webhook.
import { cpus } from 'node:os'
import { readOptions, wholeNumber } from './lib/options.mjs'
import { table } from './lib/table.mjs'
import { measureFirstNotification, measureReady, measureVersion } from './start/measures.mjs'
import { contenders } from './start/systems.mjs'

const usage = `npm run bench -- start [options]

  --rounds N    how many rounds, in which the systems take turns (default 5)
  --main FILE   the program of Gatehouse (default: the built one)
  --json        the figures as JSON`

const measures = [measureVersion, measureReady, measureFirstNotification]

/** @param {string[]} args */
export async function run(args) {
  const values = readOptions(args, { usage, options: { main: { type: 'string' } } })
  if (values === undefined) return
  const rounds = wholeNumber('rounds', values.rounds)
  const systems = contenders(values.main)
  /** By measure, then by system. @type {Map<string, Map<string, number[]>>} */
  const figures = new Map()
  for (let round = 0; round < rounds; round++) {
    for (const measure of measures) {
      for (const system of systems) {
        console.error(`round ${round + 1} of ${rounds}: ${measure.name} of ${system.id}`)
        for (const [name, value] of await measure(system)) {
          const bySystem = figures.get(name) ?? new Map()
          figures.set(name, bySystem)
          bySystem.set(system.id, [...(bySystem.get(system.id) ?? []), value])
        }
      }
    }
  }
  const machine = { node: process.version, cpu: cpus()[0]?.model, cpus: cpus().length }
  if (values.json) {
    const plain = [...figures].map(([name, found]) => [name, Object.fromEntries(found)])
    return console.log(JSON.stringify({ machine, rounds, ...Object.fromEntries(plain) }, null, 2))
  }
  console.log(`${rounds} rounds on ${machine.cpus} × ${machine.cpu}, Node.js ${machine.node}`)
  console.log(
    'median (least–most); the ratio to the other program is above 1 if Gatehouse is better\n',
  )
  console.log(table([['', ...systems.map(({ id }) => id), 'ratio'], ...rowsOf(figures, systems)]))
}

/**
 * @param {ReadonlyMap<string, ReadonlyMap<string, number[]>>} figures
 * @param {readonly import('./start/systems.mjs').Contender[]} systems
 */
const rowsOf = (figures, systems) =>
  [...figures].map(([name, bySystem]) => {
    const cells = systems.map(({ id }) => {
      const found = bySystem.get(id)
      if (found === undefined) return '-'
      const [least, middle, most] = spread(found)
      return `${middle} (${least}–${most})`
    })
    const own = bySystem.get('gatehouse')
    const peer = bySystem.get('alertmanager')
    const ratio = own && peer ? (spread(peer)[1] / spread(own)[1]).toFixed(2) : '-'
    return [name, ...cells, ratio]
  })

/** @param {readonly number[]} values @returns {[number, number, number]} least, median and most */
function spread(values) {
  const sorted = values.map(Math.round).sort((a, b) => a - b)
  return [sorted[0] ?? 0, sorted[sorted.length >> 1] ?? 0, sorted.at(-1) ?? 0]
}
