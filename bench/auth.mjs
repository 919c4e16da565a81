// The authentication flow service alone, and beside the library better-auth, which signs people in with another protocol.
import { cpus } from 'node:os'
import { measureLogins } from './auth/logins.mjs'
import { countOperations } from './auth/operations.mjs'
import { goalFigures, peerFigures, stateFigures, timingFigures } from './auth/report.mjs'
import { measureCreate, measureInputs } from './auth/speed.mjs'
import { measureStateSizes } from './auth/state-sizes.mjs'
import { measureAgainstPeer } from './auth/throughput.mjs'
import { compareTimes } from './auth/timing.mjs'
import { readOptions, wholeNumber } from './lib/options.mjs'
import { median } from './lib/table.mjs'

const usage = `npm run bench -- auth [options]

  --rounds N    how many rounds, without the comparison of times (default 3)
  --seconds N   how long each measure takes (default 2)
  --samples N   how many requests of each kind are compared (default 1000; 0 compares none)
  --cost N      rounds of scrypt while times are compared (default 1024; a service uses 131072)
  --json        the figures as JSON

Runs in one process. The comparison with better-auth uses SQLite, everything else the memory store. Authgear, whose
protocol this is, is a server that needs PostgreSQL and Redis, and is not started here.`

/** @typedef {import('./auth/report.mjs').Figures} Figures */
/** @typedef {import('./auth/throughput.mjs').Pair} Pair */

/** @param {string[]} args */
export async function run(args) {
  const values = readOptions(args, {
    usage,
    options: {
      seconds: { type: 'string', default: '2' },
      samples: { type: 'string', default: '1000' },
      cost: { type: 'string', default: '1024' },
    },
  })
  if (values === undefined) return
  const rounds = wholeNumber('rounds', values.rounds)
  const forMs = wholeNumber('seconds', values.seconds) * 1_000
  const samples = wholeNumber('samples', values.samples, 0)
  const cost = wholeNumber('cost', values.cost, 2)

  const taken = []
  const beside = []
  for (let round = 0; round < rounds; round++) {
    console.error(`round ${round + 1} of ${rounds}`)
    taken.push(await measureAll(forMs))
    beside.push(await measureAgainstPeer(forMs))
  }
  const figures = mediansOf(taken)
  const peer = mediansOfPairs(beside)
  const states = await measureStateSizes()
  if (samples > 0) console.error(`comparing the times of ${samples} requests of each kind`)
  const times = samples === 0 ? [] : await compareTimes({ samples, cost })

  const machine = { node: process.version, cpu: cpus()[0]?.model, cpus: cpus().length }
  const all = { machine, rounds, figures, peer, states, samples, times }
  if (values.json) {
    return console.log(JSON.stringify(all, undefined, 2))
  }
  console.log(`\nMedians of ${rounds} rounds, Node.js ${machine.node}, ${machine.cpu}`)
  console.log(`\n${goalFigures(figures)}`)
  console.log(`\n${peerFigures(peer)}`)
  console.log(`\n${stateFigures(states)}`)
  if (times.length > 0) console.log(`\n${timingFigures(times, { samples, cost })}`)
}

/**
 * @param {number} forMs
 * @returns {Promise<Figures>}
 */
async function measureAll(forMs) {
  return {
    ...(await measureCreate(forMs)),
    ...(await measureInputs(forMs)),
    ...(await countOperations()),
    ...(await measureLogins(forMs)),
  }
}

/**
 * @param {readonly Figures[]} rounds
 * @returns {Figures}
 */
function mediansOf(rounds) {
  const names = Object.keys(rounds[0] ?? {})
  return Object.fromEntries(names.map((name) => [name, median(rounds.map((one) => one[name]))]))
}

/**
 * For each measure, the pair with the median ratio: both halves were measured in the same minute.
 *
 * @param {readonly Pair[][]} rounds
 * @returns {Pair[]}
 */
function mediansOfPairs(rounds) {
  return (rounds[0] ?? []).map((_, index) => {
    const pairs = rounds.map((pairs) => pairs[index])
    pairs.sort((a, b) => a.ours / a.theirs - b.ours / b.theirs)
    return pairs[(pairs.length - 1) >> 1]
  })
}
