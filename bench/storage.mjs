// Compares the three stores: as a Storage in this process, and below the alert API with one process and several.
import { existsSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { readOptions, wholeNumber } from './lib/options.mjs'

const usage = `npm run bench -- storage [options]

  --rounds N      how many rounds, each with empty stores (default 3, about two minutes)
  --only TEXT     only the measures whose name contains TEXT
  --postgres URL  a running PostgreSQL, with a user that may create databases (default: starts its own)
  --json          the figures as JSON`

const packages = ['core', 'go-template', 'store-memory', 'store-sqlite', 'store-postgres']

/** @param {string[]} args */
export async function run(args) {
  const values = readOptions(args, {
    usage,
    options: {
      only: { type: 'string', default: '' },
      postgres: { type: 'string' },
    },
  })
  if (values === undefined) return
  const rounds = wholeNumber('rounds', values.rounds)
  const unbuilt = packages.filter((name) => !existsSync(built(name)))
  if (unbuilt.length > 0) throw new Error(`not built (npm run build): ${unbuilt.join(', ')}`)
  const { measureAll } = await import('./storage/measure-all.mjs')
  /** @param {string} name */
  const wanted = (name) => name.includes(values.only)
  const result = await measureAll({ rounds, wanted, postgresUrl: values.postgres })

  const machine = { node: process.version, cpu: cpus()[0]?.model, cpus: cpus().length }
  if (values.json) return console.log(JSON.stringify({ machine, rounds, ...result }, undefined, 2))
  const { apiFigures, plainLine, storageFigures } = await import('./storage/report.mjs')
  const { database, storages, api } = result
  const parts = [
    `Medians of ${rounds} rounds, Node.js ${machine.node}, ${machine.cpus} × ${machine.cpu}`,
    [database ?? '', plainLine(storages)].filter((line) => line !== '').join('\n'),
    storageFigures(storages),
    apiFigures(api),
  ]
  console.log(`\n${parts.filter((part) => part !== '').join('\n\n')}`)
}

/** @param {string} name */
const built = (name) => fileURLToPath(new URL(`../packages/${name}/dist/index.js`, import.meta.url))
