import { describe, it } from 'vitest'
import { casesOf, forEachStage, runOn } from './webhook-stages.ts'
import { webhookVectors } from './webhook-vector-runner.ts'

const vectors = webhookVectors('http').map((vector) => [vector.name, vector] as const)

forEachStage((stage) => {
  describe.concurrent(`requests to webhooks: ${stage.name}`, () => {
    it.each(casesOf(stage, vectors))('%s', (_, vector) => runOn(stage, vector))
  })
})
