// How fast groups are notified, beside the real Alertmanager: the same alerts and the same receiver in one run.
import { cpus } from 'node:os'
import { availableSystems } from './alerts/systems.mjs'
import { measureFirst, measureIdle, measureTicks } from './dispatch/measures.mjs'
import { figures } from './dispatch/report.mjs'
import { readOptions, wholeNumber } from './lib/options.mjs'

/** @typedef {import('./alerts/systems.mjs').SystemId} SystemId */
/** @typedef {import('./dispatch/measures.mjs').Figures} Figures */

const usage = `npm run bench -- dispatch [options]

  --groups N    how many groups are notified for the first time (default 2000)
  --busy N      how many have something to send every second (default 10000)
  --idle N      how many have nothing to send (default 10000)
  --rounds N    how many rounds, each with fresh servers (default 3)
  --only TEXT   only the measures whose name contains TEXT: first, ticks, idle
  --peer-only   only Alertmanager
  --json        the figures as JSON`

const measures = { first: measureFirst, ticks: measureTicks, idle: measureIdle }

/** @param {string[]} args */
export async function run(args) {
  const values = readOptions(args, {
    usage,
    options: {
      groups: { type: 'string', default: '2000' },
      busy: { type: 'string', default: '10000' },
      idle: { type: 'string', default: '10000' },
      only: { type: 'string', default: '' },
      'peer-only': { type: 'boolean', default: false },
    },
  })
  if (values === undefined) return
  const sizes = {
    groups: wholeNumber('groups', values.groups),
    busy: wholeNumber('busy', values.busy),
    idle: wholeNumber('idle', values.idle),
  }
  const count = wholeNumber('rounds', values.rounds)
  const systems = availableSystems(values['peer-only'])

  /** @type {Map<SystemId, Figures[]>} */
  const rounds = new Map(systems.map(({ id }) => [id, []]))
  for (let round = 0; round < count; round++) {
    console.error(`round ${round + 1} of ${count}`)
    const turn = round % systems.length
    const order = [...systems.slice(turn), ...systems.slice(0, turn)]
    for (const [name, measure] of Object.entries(measures)) {
      if (!name.includes(values.only)) continue
      for (const system of order) rounds.get(system.id)?.push(await measure(system, sizes))
    }
  }
  if (values.json) {
    const machine = { node: process.version, cpu: cpus()[0]?.model, cpus: cpus().length }
    const text = { machine, sizes, rounds: Object.fromEntries(rounds) }
    return console.log(JSON.stringify(text, undefined, 2))
  }
  const ids = systems.map(({ id }) => id)
  console.log(`\nmedians of ${count} rounds\n\n${figures(ids, rounds, sizes)}`)
}
