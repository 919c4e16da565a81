import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { dropDatabase } from '../test-support/postgres/postgres-database.ts'
import { startPostgres } from '../test-support/postgres/postgres-server.ts'
import { planChaos } from './plan.ts'
import { type MakePlace, playWorld, type WorldResult } from './world.ts'

const usage = `npm run chaos -- [--rounds 200] [--store sqlite|postgres] [--seed N] [--parallel 4]
  --rounds N    rounds on each store, of about a second each (default 200)
  --store NAME  only this store
  --seed N      begins with this seed (default: a random one, printed at the start)
  --parallel N  how many worlds run at the same time (default 4)`

/** After these rounds a world settles and is checked. */
const roundsOfWorld = 10

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    store: { type: 'string' },
    seed: { type: 'string' },
    parallel: { type: 'string', default: '4' },
    help: { type: 'boolean', default: false },
  },
})

interface Store {
  readonly makePlace: MakePlace
  end(): Promise<void>
}

const stores: Readonly<Record<string, () => Promise<Store>>> = {
  sqlite: async () => ({
    makePlace: async (folder) => ({
      storage: { sqlite: join(folder, 'gatehouse.db') },
      remove: async () => {},
    }),
    end: async () => {},
  }),
  async postgres() {
    const server = await startPostgres()
    return {
      async makePlace() {
        const url = await server.createDatabase()
        const storage = { postgres: url, max_connections: 4 }
        return { storage, remove: () => dropDatabase(url) }
      },
      end: () => server.end(),
    }
  },
}

function describeFailure(
  name: string,
  seed: number,
  rounds: number,
  { story, folder }: WorldResult,
) {
  return [
    `The world of seed ${seed} fails on ${name}: npm run chaos -- --store ${name} --seed ${seed} --rounds ${rounds}`,
    ...story.failures.map(({ property, detail }) => `  ${property}: ${detail}`),
    `Its files are in ${folder}. What happened:`,
    story.tell(),
  ].join('\n')
}

/** Plays all worlds on a store, and returns how many failed. */
async function play(name: string, { makePlace }: Store, worlds: readonly [number, number][]) {
  const startedAt = performance.now()
  const counts = new Map<string, number>()
  const left = [...worlds]
  let failed = 0
  const player = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [seed, rounds] = next
      const result = await playWorld(planChaos(seed, rounds), makePlace)
      for (const [what, count] of Object.entries(result.counts)) {
        counts.set(what, (counts.get(what) ?? 0) + count)
      }
      if (result.story.failures.length === 0) continue
      failed++
      console.log(describeFailure(name, seed, rounds, result))
    }
  }
  await Promise.all(Array.from({ length: Number(values.parallel) }, player))
  const rounds = worlds.reduce((sum, [, count]) => sum + count, 0)
  const totals = [...counts].map(([what, count]) => `${count} ${what}`).join(', ')
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  console.log(
    `${name}: ${rounds} rounds in ${worlds.length} worlds, ${totals}, ${failed} failed, ${seconds} s`,
  )
  return failed
}

async function main(): Promise<number> {
  const names = Object.keys(stores).filter((name) => (values.store ?? name) === name)
  const rounds = Number(values.rounds)
  const first = Number(values.seed ?? Math.floor(Math.random() * 1e9))
  const isUsable = [rounds, first, Number(values.parallel)].every((n) => Number.isInteger(n))
  if (values.help || names.length === 0 || !isUsable) {
    console.log(usage)
    return values.help ? 0 : 2
  }
  console.log(`seed ${first}`)
  const worlds = Array.from({ length: Math.ceil(rounds / roundsOfWorld) }, (_, i) => {
    const count = Math.min(roundsOfWorld, rounds - i * roundsOfWorld)
    return [first + i, count] as [number, number]
  })
  let failed = 0
  for (const name of names) {
    const store = await stores[name]?.()
    if (store === undefined) continue
    try {
      failed += await play(name, store, worlds)
    } finally {
      await store.end()
    }
  }
  return failed === 0 ? 0 : 1
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
process.exitCode = await main()
