// Whether a server still answers others while a client sends it the most expensive requests, and frees the memory afterwards.
import { measureLoads } from './hostile/measure.mjs'
import { readOptions } from './lib/options.mjs'
import { table } from './lib/table.mjs'

const usage = `npm run bench -- hostile [options]

  --rounds N    how often each request is sent (default 3)
  --only TEXT   only the requests whose name contains TEXT
  --peer        the real Alertmanager instead of Gatehouse
  --json        the figures as JSON`

/** @param {string[]} args */
export async function run(args) {
  const values = readOptions(args, {
    usage,
    options: { only: { type: 'string', default: '' }, peer: { type: 'boolean', default: false } },
  })
  if (values === undefined) return
  const rows = await measureLoads({
    count: Number(values.rounds),
    only: values.only,
    isPeer: values.peer,
  })
  if (values.json) return console.log(JSON.stringify(rows, undefined, 2))
  const head = [
    'request',
    'status',
    'answered after',
    'probes',
    'p50',
    'p99',
    'most',
    'peak',
    'later',
  ]
  const ms = (/** @type {number} */ value) => `${value.toFixed(0)} ms`
  const mib = (/** @type {number} */ value) => `${value.toFixed(0)} MiB`
  console.log(
    table([
      head,
      ...rows.map(({ name, statuses, answeredMs, probes, memory }) => [
        name,
        statuses.join(' '),
        ms(answeredMs),
        `${probes.count}`,
        ms(probes.p50),
        ms(probes.p99),
        ms(probes.most),
        mib(memory.peakMiB),
        mib(memory.laterMiB),
      ]),
    ]),
  )
}
