import { describe, it } from 'vitest'
import { casesOf, forEachStage, runOn } from './webhook-stages.ts'
import { webhookVectors } from './webhook-vector-runner.ts'

const vectors = webhookVectors('lifecycle').map((vector) => [vector.name, vector] as const)

forEachStage((stage) => {
  describe(`the lifecycle of runs: ${stage.name}`, () => {
    it.each(casesOf(stage, vectors))('%s', (_, vector) => runOn(stage, vector))
  })
})
