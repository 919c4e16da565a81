import { createMemoryStorage } from '@gatehouse/store-memory'
import { expect, it, vi } from 'vitest'
import { type Storage, storageUnavailable } from '../../storage/storage.ts'
import { createManualClock } from '../../testing/index.ts'
import type { Run } from '../run.ts'
import { runWebhook, type SkippedDelivery } from '../run-webhook.ts'
import { createFixture, settled } from '../service.fixture.ts'
import { triggerWebhook } from '../trigger-webhook.ts'
import { lostRun, runCollection } from './run-record.ts'

it('the end of a run is recorded even if the answer to an update of its record was lost', async () => {
  const clock = createManualClock()
  const storage = createMemoryStorage({ clock })
  let loses = false
  const unanswered: Storage = {
    ...storage,
    async commit(writes) {
      const versions = await storage.commit(writes)
      if (loses) throw storageUnavailable('no answer came')
      return versions
    },
  }
  const { webhooks, runner } = createFixture({ clock, storage: unanswered })
  await triggerWebhook(webhooks, 'job', {}, { wait: false })
  const waiting = await triggerWebhook(webhooks, 'job', {}, { wait: false })
  if (waiting.status === 'skipped') throw new Error('the rules were not satisfied')
  const statusOf = async () => (await runCollection.get(storage, waiting.id))?.value.status
  expect(await statusOf()).toBe('queued')
  runner.commands[0]?.end()
  await settled()
  loses = true
  clock.advance(100)
  await settled()
  loses = false
  expect(await statusOf()).toBe('running')
  runner.commands[1]?.end()
  await settled()
  expect(await statusOf()).toBe('succeeded')
})

/** A run whose command ends while the storage refuses commits, on a clock that the test moves. */
async function createCutOffRun() {
  const clock = createManualClock()
  const storage = createMemoryStorage({ clock })
  let isCut = false
  const cutOff: Storage = {
    ...storage,
    commit: async (writes) => {
      if (isCut) throw storageUnavailable('the database is away')
      return storage.commit(writes)
    },
  }
  const { webhooks, runner } = createFixture({ clock, storage: cutOff })
  const answer = runWebhook(webhooks, { id: 'job', token: 't' }, { wait: true })
  await vi.waitFor(() => expect(runner.commands).toHaveLength(1))
  let seen: Run | SkippedDelivery | undefined
  void answer.then((run) => {
    seen = run
  })
  isCut = true
  await runner.commands[0]?.write('stdout', 'done')
  runner.commands[0]?.end()
  await settled()
  const [record] = await runCollection.find(storage, { by: 'id', limit: 1 })
  if (record === undefined) throw new Error('the run was not recorded')
  return {
    storage,
    record,
    seen: () => seen,
    async heal() {
      isCut = false
      clock.advance(500)
      await settled()
    },
  }
}

it('a sender learns the end of a run once it is recorded', async () => {
  const { storage, record, seen, heal } = await createCutOffRun()
  expect(seen()).toBeUndefined()
  await heal()
  expect(seen()).toMatchObject({ status: 'succeeded' })
  expect(seen()).not.toHaveProperty('recorded')
  expect((await runCollection.get(storage, record.id))?.value.status).toBe('succeeded')
})

it('a sender learns of a run that others recorded as lost that it is lost', async () => {
  const { storage, record, seen, heal } = await createCutOffRun()
  const { id, value, version } = record
  await storage.commit([runCollection.write(id, lostRun(value), { if: version })])
  await heal()
  expect(seen()).toMatchObject({ id, status: 'lost', exit_code: null })
})
