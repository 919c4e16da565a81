import { createMemoryStorage } from '@gatehouse/store-memory'
import { expect, it } from 'vitest'
import { type Storage, storageUnavailable } from '../../storage/storage.ts'
import { createManualClock } from '../../testing/index.ts'
import { createFixture, settled } from '../service.fixture.ts'
import { triggerWebhook } from '../trigger-webhook.ts'
import { runCollection } from './run-record.ts'

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
  const statusOf = async () => (await runCollection.get(storage, waiting.run_id))?.value.status
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
