// The webhook service beside 10,000, 100,000 and 1,000,000 recorded runs, in memory and in SQLite: CPU time and memory.
import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { readOptions, wholeNumber } from './lib/options.mjs'
import { median, table } from './lib/table.mjs'

const usage = `npm run bench -- webhook-scale [options]

  --runs N      the largest number of runs (default 1000000); a tenth and a hundredth are measured too
  --rounds N    how many rounds, each with fresh processes (default 3)
  --json        the figures as JSON`

const program = fileURLToPath(new URL('webhook/scale-store.mjs', import.meta.url))

/** @typedef {{ store: string, runs: number, figures: Record<string, number> }} Measured */

/** @param {string} store @param {number} runs @returns {Measured} */
function measure(store, runs) {
  const flags = ['--expose-gc', '--max-old-space-size=6000']
  const args = [...flags, program, store, String(runs)]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
}

/** @param {number} value */
const shown = (value) => String(Number(value >= 100 ? value.toFixed(0) : value.toPrecision(2)))

/** @param {string[]} args */
export async function run(args) {
  const values = readOptions(args, {
    usage,
    options: { runs: { type: 'string', default: '1000000' } },
  })
  if (values === undefined) return
  const largest = wholeNumber('runs', values.runs, 1_000)
  const rounds = wholeNumber('rounds', values.rounds)
  const sizes = [largest / 100, largest / 10, largest].map(Math.floor)
  const columns = ['memory', 'sqlite'].flatMap((store) => sizes.map((runs) => ({ store, runs })))
  const all = columns.map(({ store, runs }) =>
    Array.from({ length: rounds }, (_, round) => {
      console.error(`${store}, ${runs} runs, round ${round + 1} of ${rounds}`)
      return measure(store, runs)
    }),
  )
  if (values.json) {
    const machine = { node: process.version, cpu: cpus()[0]?.model, cpus: cpus().length }
    return console.log(JSON.stringify({ machine, rounds, figures: all.flat() }, undefined, 2))
  }
  const names = Object.keys(all[0]?.[0]?.figures ?? {})
  const rows = names.map((name) => [
    name,
    ...all.map((measured) => shown(median(measured.map(({ figures }) => figures[name] ?? 0)))),
  ])
  const head = ['CPU time in ms', ...columns.map(({ store, runs }) => `${store} ${runs}`)]
  console.log(`\nmedians of ${rounds} rounds\n\n${table([head, ...rows])}`)
}
