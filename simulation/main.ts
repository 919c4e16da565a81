import { parseArgs } from 'node:util'
import { alertsWorld } from './alerts/world.ts'
import { flowsWorld } from './flows/world.ts'
import { describeFailure, type Simulation, simulationOf } from './run.ts'
import { strangersWorld } from './strangers/world.ts'
import { webhooksWorld } from './webhooks/world.ts'

const usage = `npm run simulate -- [--world alerts] [--seeds 1000] [--from 1] [--seed N] [--all]
  --seeds N   runs N seeds of each world (default 1000)
  --from N    begins with this seed (default 1)
  --seed N    runs only this seed, and prints its story
  --all       continues after a failure`

const simulations: readonly Simulation[] = [
  simulationOf(alertsWorld),
  simulationOf(flowsWorld),
  simulationOf(strangersWorld),
  simulationOf(webhooksWorld),
]

const { values } = parseArgs({
  options: {
    world: { type: 'string' },
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    all: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

async function main(): Promise<number> {
  if (values.help) {
    console.log(usage)
    return 0
  }
  const chosen = simulations.filter(({ name }) => (values.world ?? name) === name)
  const from = Number(values.seed ?? values.from)
  const count = values.seed === undefined ? Number(values.seeds) : 1
  if (chosen.length === 0 || !Number.isInteger(from) || !Number.isInteger(count)) {
    console.error(usage)
    return 2
  }
  let failed = 0
  for (const { name, run, check } of chosen) {
    const startedAt = Date.now()
    let steps = 0
    const properties = new Map<string, number>()
    for (let seed = from; seed < from + count; seed++) {
      if (values.all) {
        const { failures, steps: more } = await run(seed)
        steps += more
        const [first] = failures
        if (first === undefined) continue
        failed++
        if (!properties.has(first.property))
          console.log(`seed ${seed}: ${first.property}: ${first.detail}`)
        properties.set(first.property, (properties.get(first.property) ?? 0) + 1)
        continue
      }
      const result = await check(seed)
      if ('outcome' in result) {
        console.log(describeFailure(result))
        return 1
      }
      steps += result.steps
      if (values.seed !== undefined) console.log(result.story.join('\n'))
    }
    const ms = Date.now() - startedAt
    console.log(
      `${name}: ${count} seeds, ${steps} steps in ${(ms / 1_000).toFixed(1)} s (${(ms / count).toFixed(1)} ms a seed)`,
    )
    for (const [property, times] of properties) console.log(`  ${times} x ${property}`)
  }
  return failed > 0 ? 1 : 0
}

process.exitCode = await main()
