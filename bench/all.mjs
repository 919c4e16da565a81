// Runs the benchmarks that compare Gatehouse with other programs, and writes one table of their ratios.
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { comparisons } from './all/comparisons.mjs'
import { markdown } from './all/markdown.mjs'
import { readOptions, wholeNumber } from './lib/options.mjs'

/** @param {string} name */
const exists = (name) => existsSync(new URL(`${name}.mjs`, import.meta.url))
const names = Object.keys(comparisons).filter(exists)

const usage = `npm run bench -- all [options]

  --rounds N    how many rounds of each benchmark (default 3, about an hour; let nothing else run)
  --only NAMES  only these benchmarks, separated by commas: ${names.join(', ')}
  --output FILE where the table is written (default docs/benchmarks.md)
  --json        the figures as JSON, and no file`

/** @param {string[]} args */
export async function run(args) {
  const values = readOptions(args, {
    usage,
    options: {
      only: { type: 'string', default: names.join() },
      output: {
        type: 'string',
        default: fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url)),
      },
    },
  })
  if (values === undefined) return
  const rounds = wholeNumber('rounds', values.rounds)
  const program = fileURLToPath(new URL('../scripts/bench.mjs', import.meta.url))
  const parts = []
  for (const name of values.only.split(',')) {
    const comparison = comparisons[name]
    if (comparison === undefined) throw new Error(`--only: no comparison is called "${name}"`)
    console.error(`npm run bench -- ${name}`)
    const ownArgs = [program, name, '--rounds', String(rounds), '--json', ...comparison.args]
    const stdio = /** @type {const} */ (['ignore', 'pipe', 'inherit'])
    const text = execFileSync(process.execPath, ownArgs, {
      stdio,
      maxBuffer: 1e9,
      encoding: 'utf8',
    })
    parts.push({ ...comparison, rows: comparison.rows(JSON.parse(text)) })
  }
  const machine = {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    cpu: cpus()[0]?.model ?? 'unknown',
    cpus: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
  }
  if (values.json) return console.log(JSON.stringify({ machine, rounds, parts }, undefined, 2))
  writeFileSync(values.output, markdown({ machine, rounds, parts }))
  console.error(`${values.output} is written`)
}
