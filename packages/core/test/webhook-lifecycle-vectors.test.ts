import { describe, it } from 'vitest'
import { adapters } from './servers.ts'
import { forEachStage, runOn, type Stage } from './webhook-stages.ts'
import { webhookVectors } from './webhook-vector-runner.ts'

const vectors = webhookVectors('lifecycle').map((vector) => [vector.name, vector] as const)

/** These take long: everything in memory, and once on each other store. */
const isWanted = ({ store, adapter, runner }: Stage): boolean =>
  store.name === 'memory' || (adapter === adapters[0] && runner === 'processes')

forEachStage((stage) => {
  if (!isWanted(stage)) return
  // A machine may stall for a while, so try again.
  describe(`the lifecycle of runs: ${stage.name}`, { retry: 2 }, () => {
    it.each(vectors)('%s', (_, vector) => runOn(stage, vector))
  })
})
