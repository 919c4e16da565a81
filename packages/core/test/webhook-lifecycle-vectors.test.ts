import { describe, it } from 'vitest'
import { forEachStage, runOn } from './webhook-stages.ts'
import { webhookVectors } from './webhook-vector-runner.ts'

const vectors = webhookVectors('lifecycle').map((vector) => [vector.name, vector] as const)

forEachStage((stage) => {
  // A machine may stall for a while, so try again.
  describe(`the lifecycle of runs: ${stage.name}`, { retry: 2 }, () => {
    it.each(vectors)('%s', (_, vector) => runOn(stage, vector))
  })
})
