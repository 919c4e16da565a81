// Gatehouse beside the program webhook (github.com/adnanh/webhook): the same command and the same requests in one run.
import { cpus } from 'node:os'
import { positiveNumber, readOptions, wholeNumber } from './lib/options.mjs'
import { measureBurst, measureLargeBody, measureLeftovers } from './webhook/bounds.mjs'
import {
  measureBodies,
  measureLatency,
  measureLoopDelay,
  measureMemory,
  measureRefusals,
  measureRuns,
} from './webhook/measures.mjs'
import { report } from './webhook/report.mjs'
import { hasPeer } from './webhook/systems.mjs'

const usage = `npm run bench -- webhook [options]

  --rounds N    how many rounds, each with fresh servers (default 3)
  --seconds N   how long one turn of a measure takes (default 2)
  --only NAMES  only these measures, separated by commas: runs, memory, delay, burst, refusals, large, latency, leftovers, bodies,
                or their goals: G1, G2, ...
  --main FILE   the program of Gatehouse (default: the built one)
  --json        the figures as JSON`

/** By goal and name. @type {Readonly<Record<string, import('./webhook/measures.mjs').Measure>>} */
const measures = {
  'G1 runs': measureRuns,
  'G2 memory': measureMemory,
  'G3 delay': measureLoopDelay,
  'G4 burst': measureBurst,
  'G5 refusals': measureRefusals,
  'G6 large': measureLargeBody,
  'G7 latency': measureLatency,
  'G8 leftovers': measureLeftovers,
  'G9 bodies': measureBodies,
}

/** @param {string[]} args */
export async function run(args) {
  const values = readOptions(args, {
    usage,
    options: {
      seconds: { type: 'string', default: '2' },
      only: { type: 'string', default: '' },
      main: { type: 'string' },
    },
  })
  if (values === undefined) return
  const rounds = wholeNumber('rounds', values.rounds)
  const settings = {
    seconds: positiveNumber('seconds', values.seconds),
    hasPeer: hasPeer(),
    main: values.main,
  }
  const parts = values.only.split(',')
  const wanted = Object.entries(measures).filter(([name]) =>
    parts.some((part) => name.includes(part)),
  )
  if (wanted.length === 0) throw new Error(`--only: no measure is called "${values.only}"`)

  /** @type {import('./webhook/measures.mjs').Figure[]} */
  const figures = []
  for (let round = 0; round < rounds; round++) {
    for (const [name, measure] of wanted) {
      console.error(`round ${round + 1} of ${rounds}: ${name}`)
      await measure(settings, (figure) => figures.push(figure))
    }
  }
  if (values.json) {
    const machine = { node: process.version, cpu: cpus()[0]?.model, cpus: cpus().length }
    return console.log(JSON.stringify({ machine, rounds, figures }, undefined, 2))
  }
  console.log(
    `\nmedians of ${rounds} rounds; G2 is compared with the same program without that memory,`,
  )
  console.log(`the others with the program webhook\n\n${report(figures)}`)
}
