// node bench/webhook/runners.mjs [--runs N] [--rounds N]: the cost of starting a command with each of the two runners, also while
// the process holds 1 GB of buffers. Needs built packages.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createLaunchRunner, createSpawnRunner } from '@gatehouse/core/webhook'
import { median, table } from '../lib/table.mjs'

/**
 * @typedef {object} Measures
 * @property {number} rate commands per second, 16 at a time
 * @property {number} processorUs CPU time of all processes, per command
 * @property {number} ownUs of that, the CPU time of the process with the runner
 * @property {number} delayMs 99th percentile of the delay of the event loop at 100 commands per second
 * @property {number} latencyUs median, one at a time
 */

const atATime = 16
const pacedMs = 10
const pacedRuns = 200
const bufferBytes = 64 * 1024 * 1024
const ticksPerSecond = 100

/** The command of a webhook. */
const command = {
  program: '/bin/true',
  args: [],
  workdir: '/',
  stdin: undefined,
  outputBytes: 1024 * 1024,
  outputKeep: /** @type {const} */ ('head'),
  killLeftovers: false,
  live: false,
}
let runs = 0

/** @param {import('@gatehouse/core/webhook').CommandRunner} runner */
async function runOne(runner) {
  const id = String(++runs)
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: '/root',
    USER: 'root',
    GATEHOUSE_RUN_ID: `run_01${id.padStart(24, '0')}`,
    GATEHOUSE_WEBHOOK_ID: 'bench',
    GATEHOUSE_REQUEST_ID: `0d9c0f5e-5d5f-4c53-8a37-${id.padStart(12, '0')}`,
    GATEHOUSE_ATTEMPT: '1',
  }
  const started = await runner.start({ ...command, env })
  if ('problem' in started) throw new Error(started.problem)
  const { exitCode } = await started.running.ended
  if (exitCode !== 0) throw new Error(`a command ended with status ${exitCode}`)
}

/** The CPU time of this process and of all its children that have ended, in µs. */
function processorUs() {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0)
  return (ticks * 1e6) / ticksPerSecond
}

/**
 * @param {'direct' | 'launcher'} kind
 * @param {number} count
 * @returns {Promise<Measures>}
 */
async function measure(kind, count) {
  const spawn = createSpawnRunner()
  const runner = kind === 'direct' ? spawn : createLaunchRunner({ spawn })
  const together = async (/** @type {number} */ all) => {
    let left = all
    const lane = async () => {
      while (left-- > 0) await runOne(runner)
    }
    await Promise.all(Array.from({ length: atATime }, lane))
  }
  await together(2 * atATime)

  const processor = processorUs()
  const own = process.cpuUsage()
  const begin = performance.now()
  await together(count)
  const seconds = (performance.now() - begin) / 1_000
  const { user, system } = process.cpuUsage(own)

  const latencies = []
  for (let i = 0; i < pacedRuns; i++) {
    const start = performance.now()
    await runOne(runner)
    latencies.push((performance.now() - start) * 1_000)
  }

  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  const paced = []
  for (let i = 0; i < pacedRuns; i++) {
    paced.push(runOne(runner))
    await new Promise((resolve) => setTimeout(resolve, pacedMs))
  }
  await Promise.all(paced)
  delays.disable()
  // Commands of launchers count once their launcher has ended.
  await runner.close()
  const all = count + 2 * pacedRuns
  return {
    rate: count / seconds,
    processorUs: (processorUs() - processor) / all,
    ownUs: (user + system) / count,
    delayMs: delays.percentile(99) / 1e6,
    latencyUs: median(latencies),
  }
}

/** @param {Measures[]} rounds @param {keyof Measures} key */
const middle = (rounds, key) => median(rounds.map((round) => round[key])).toFixed(0)

function report() {
  const { values } = parseArgs({
    options: { runs: { type: 'string' }, rounds: { type: 'string' } },
  })
  const { runs: count = '4000', rounds = '3' } = values
  const cases = [0, 16].flatMap((buffers) =>
    ['direct', 'launcher'].map((kind) => ({
      kind,
      buffers,
      rounds: /** @type {Measures[]} */ ([]),
    })),
  )
  for (let round = 0; round < Number(rounds); round++) {
    for (const one of cases) {
      const runsOfIt = one.kind === 'direct' && one.buffers > 0 ? '200' : count
      const args = [fileURLToPath(import.meta.url), one.kind, String(one.buffers), runsOfIt]
      one.rounds.push(JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })))
    }
  }
  const rows = cases.map((one) => [
    `${one.kind}${one.buffers > 0 ? ', 1 GB of buffers' : ''}`,
    middle(one.rounds, 'rate'),
    middle(one.rounds, 'processorUs'),
    middle(one.rounds, 'ownUs'),
    middle(one.rounds, 'latencyUs'),
    middle(one.rounds, 'delayMs'),
  ])
  const head = ['runner', 'commands/s', 'CPU µs', 'own CPU µs', 'latency µs', 'loop delay p99 ms']
  console.log(table([head, ...rows]))
}

const [, , kind, buffers, count] = process.argv
if (kind === 'direct' || kind === 'launcher') {
  const held = Array.from({ length: Number(buffers) }, () => Buffer.alloc(bufferBytes, 1))
  const measures = await measure(kind, Number(count))
  console.log(JSON.stringify({ ...measures, held: held.length }))
} else {
  report()
}
