import { expect, it } from 'vitest'
import { listRuns } from './list-runs.ts'
import { runCollection } from './records/run-record.ts'
import { createFixture, endAtOnce } from './service.fixture.ts'
import { triggerWebhook } from './trigger-webhook.ts'

it('a list of a status that few runs have lets other work run meanwhile', async () => {
  const { webhooks, storage } = createFixture({ script: endAtOnce })
  const run = await triggerWebhook(webhooks, 'job', {})
  if (run.status === 'skipped') throw new Error('nothing was run')
  const record = await runCollection.get(storage, run.id)
  if (record === undefined) throw new Error('nothing was recorded')
  const writes = Array.from({ length: 1_000 }, (_, index) => {
    const run_id = `run_0${String(index).padStart(25, '0')}`
    const status = index === 7 ? 'failed' : 'succeeded'
    return runCollection.write(run_id, { ...record.value, run_id, status })
  })
  await storage.commit(writes)
  let turns = 0
  const count = (): void => {
    turns++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  const { runs } = await listRuns(webhooks, { status: 'failed' })
  clearImmediate(next)
  expect(runs.map(({ id: run_id }) => run_id)).toEqual([`run_0${'7'.padStart(25, '0')}`])
  expect(turns).toBeGreaterThan(3)
})
