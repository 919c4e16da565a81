// Gatehouse beside the real Alertmanager: the same data and the same questions in one run.
import { cpus } from 'node:os'
import { measure } from './alerts/measure.mjs'
import { figures, growth } from './alerts/report.mjs'
import { availableSystems } from './alerts/systems.mjs'
import { readOptions, wholeNumber } from './lib/options.mjs'

const usualAlerts = 10_000

const usage = `npm run bench -- alerts [options]

  --alerts N    how many alerts (default ${usualAlerts}; with more, ${usualAlerts} are measured too, and the growth)
  --rounds N    how many rounds, each with fresh servers (default 3)
  --only TEXT   only the measures whose name contains TEXT
  --peer-only   only Alertmanager
  --json        the figures as JSON`

/** @param {string[]} args */
export async function run(args) {
  const values = readOptions(args, {
    usage,
    options: {
      alerts: { type: 'string', default: String(usualAlerts) },
      only: { type: 'string', default: '' },
      'peer-only': { type: 'boolean', default: false },
    },
  })
  if (values === undefined) return
  const alerts = wholeNumber('alerts', values.alerts)
  const rounds = wholeNumber('rounds', values.rounds)
  const systems = availableSystems(values['peer-only'])
  /** @param {string} name */
  const wanted = (name) => name.includes(values.only)

  const runs = []
  for (const count of alerts > usualAlerts ? [usualAlerts, alerts] : [alerts]) {
    runs.push({ alerts: count, rows: await measure(systems, { alerts: count, rounds, wanted }) })
  }
  if (values.json) {
    const machine = { node: process.version, cpu: cpus()[0]?.model, cpus: cpus().length }
    return console.log(JSON.stringify({ machine, rounds, runs }, undefined, 2))
  }
  const ids = systems.map(({ id }) => id)
  for (const { alerts: count, rows } of runs) {
    console.log(`\n${count} alerts, medians of ${rounds} rounds\n\n${figures(ids, rows)}`)
  }
  const [small, large] = runs
  if (large === undefined) return
  const title = `${large.alerts} alerts against ${small.alerts}: how many times as much`
  console.log(`\n${title}\n\n${growth(ids, small.rows, large.rows)}`)
}
