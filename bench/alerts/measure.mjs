// Runs the rounds over all systems and collects their figures.
import { median } from '../lib/table.mjs'
import { ask, make, steps, verify } from './steps.mjs'
import { startSystem } from './systems.mjs'

/** @typedef {import('./systems.mjs').System} System */
/** @typedef {import('./systems.mjs').SystemId} SystemId */
/** @typedef {import('./systems.mjs').Running} Running */
/** @typedef {(name: string, id: SystemId, values: readonly number[]) => void} Record */

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {'ms' | 'MiB'} unit
 * @property {{ [id in SystemId]?: number }} medians
 * @property {{ [id in SystemId]?: Verdict }} against Alertmanager
 */

/**
 * For times: how many times as fast as Alertmanager. For memory: how many times as much. `spread` is the least and the most of all
 * rounds.
 *
 * @typedef {{ ratio: number, spread: readonly [number, number], goal: number, met: boolean }} Verdict
 */

/**
 * Alertmanager 0.25 compares every target of an inhibit rule with every source. Above this many alerts one answer takes minutes,
 * so the benchmark does not request alerts from it, and its memory is not comparable.
 */
const maxAlertsForPeer = 20_000

/**
 * @param {SystemId} id
 * @param {number} alerts
 */
const isAsked = (id, alerts) => id !== 'alertmanager' || alerts <= maxAlertsForPeer

const memoryRow = 'peak memory'
const memoryGoal = 2
const turns = 3
/** A question slower than this is skipped in the last turn of a round. */
const slowMs = 1_000

/**
 * Measures every step `rounds` times with fresh servers, in another order of the systems each time.
 *
 * @param {readonly System[]} systems
 * @param {{ alerts: number, rounds: number, wanted: (name: string) => boolean }} options
 * @returns {Promise<Row[]>}
 */
export async function measure(systems, { alerts, rounds, wanted }) {
  /** For each measure and system, the values of each round. @type {Map<string, { [id in SystemId]?: number[][] }>} */
  const samples = new Map()
  for (let round = 0; round < rounds; round++) {
    console.error(`${alerts} alerts, round ${round + 1} of ${rounds}`)
    const turn = round % systems.length
    const order = [...systems.slice(turn), ...systems.slice(0, turn)]
    await measureRound(order, alerts, wanted, (name, id, values) => {
      const row = samples.get(name) ?? {}
      samples.set(name, row)
      row[id] ??= []
      row[id][round] = [...(row[id][round] ?? []), ...values]
    })
  }
  return [...samples].map(([name, byId]) => {
    const medians = Object.fromEntries(
      Object.entries(byId).map(([id, values]) => [id, median(values.flat())]),
    )
    const goal = steps.flatMap((step) =>
      'goal' in step && step.name === name ? [step.goal] : [],
    )[0]
    return { name, unit: goal ? 'ms' : 'MiB', medians, against: verdicts(medians, byId, goal) }
  })
}

/**
 * @param {readonly System[]} order
 * @param {number} alerts
 * @param {(name: string) => boolean} wanted
 * @param {Record} record
 */
async function measureRound(order, alerts, wanted, record) {
  /** @type {Running[]} */
  const running = []
  try {
    for (const system of order) running.push(await startSystem(system))
    for (const step of steps) {
      if (step.kind === 'warm up') {
        for (const { client } of running) await step.run(client)
      } else if (step.kind === 'change') {
        const times = wanted(step.name) ? (step.times ?? 1) : 1
        for (let time = 0; time < times; time++) {
          for (const { id, client } of running) {
            const ms = await make(step, alerts, client)
            if (wanted(step.name)) record(step.name, id, [ms])
          }
        }
      } else if (wanted(step.name)) {
        const asked = running.filter(({ id }) => !step.ofAlerts || isAsked(id, alerts))
        await measureQuestion(step, alerts, asked, record)
      }
    }
    if (!wanted(memoryRow)) return
    for (const { id, peakMemoryKiB } of running) {
      if (isAsked(id, alerts)) record(memoryRow, id, [peakMemoryKiB() / 1024])
    }
  } finally {
    for (const system of running) await system.stop()
  }
}

/**
 * @param {import('./steps.mjs').Question} step
 * @param {number} alerts
 * @param {readonly Running[]} asked
 * @param {Record} record
 */
async function measureQuestion(step, alerts, asked, record) {
  const verified = []
  for (const system of asked) {
    verified.push({ ...system, ...(await verify(step, alerts, system.client)), slow: false })
  }
  const [first, ...others] = verified.map(({ id, summary }) => ({
    id,
    text: JSON.stringify(summary),
  }))
  for (const { id, text } of others) {
    if (text === first.text) continue
    throw new Error(`${step.name}: ${first.id} answers ${first.text}, ${id} answers ${text}`)
  }
  for (let turn = 1; turn <= turns; turn++) {
    for (const system of verified) {
      if (turn === turns && system.slow) continue
      const times = await ask(step, alerts, system.bytes, system.client)
      system.slow = times[0] > slowMs
      record(step.name, system.id, times)
    }
  }
}

/**
 * @param {Row['medians']} medians
 * @param {{ [id in SystemId]?: number[][] }} values
 * @param {import('./steps.mjs').Goal | undefined} goal undefined for memory
 * @returns {Row['against']}
 */
function verdicts({ alertmanager: reference, ...ours }, values, goal) {
  if (reference === undefined) return {}
  /** @param {number} own @param {number} other */
  const ratioOf = (own, other) => (goal === undefined ? own / other : other / own)
  return Object.fromEntries(
    Object.entries(ours).map(([id, value]) => {
      const ratio = ratioOf(value, reference)
      const ratios = values[id].map((own, round) =>
        ratioOf(median(own), median(values.alertmanager[round])),
      )
      const spread = [Math.min(...ratios), Math.max(...ratios)]
      if (goal === undefined)
        return [id, { ratio, spread, goal: memoryGoal, met: ratio <= memoryGoal }]
      const least = id === 'memory' ? goal.memory : goal.sqlite
      return [id, { ratio, spread, goal: least, met: ratio >= least }]
    }),
  )
}
