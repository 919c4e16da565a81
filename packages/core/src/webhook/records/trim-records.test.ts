import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'
import { commitTogether } from '../../storage/commit-together.ts'
import { createManualClock } from '../../testing/index.ts'
import { listRuns } from '../list-runs.ts'
import { createFixture, settled, webhookNamed } from '../service.fixture.ts'
import { triggerWebhook } from '../trigger-webhook.ts'
import { keyCollection, maxKeys } from './dedupe.ts'
import { outputCollection, runCollection } from './run-record.ts'
import { trimKeys } from './trim-records.ts'

describe('the history', () => {
  it('keeps the newest finished runs, and all others', async () => {
    const history = { max_runs: 5 }
    const slow = webhookNamed('slow')
    const quick = webhookNamed('quick', { concurrency: 0 })
    const fixture = createFixture({
      config: { history, webhooks: [slow, quick] },
      async script(command) {
        if (command.command.env.GATEHOUSE_WEBHOOK_ID !== 'quick') return
        await command.write('stdout', 'x')
        command.end()
      },
    })
    const { webhooks, clock, storage } = fixture
    for (let run = 0; run < 3; run++) await triggerWebhook(webhooks, 'slow', {}, { wait: false })
    const ids: string[] = []
    for (let run = 0; run < 12; run++) {
      clock.advance(1)
      const ended = await triggerWebhook(webhooks, 'quick')
      ids.push('id' in ended ? ended.id : '')
      await settled()
    }
    const { runs } = await listRuns(webhooks)
    expect(runs.slice(0, 5).map(({ id: run_id }) => run_id)).toEqual(ids.slice(-5).reverse())
    expect(runs.slice(5).map(({ status }) => status)).toEqual(
      expect.arrayContaining(['running', 'queued', 'queued']),
    )
    expect(runs).toHaveLength(8)
    expect(await storage.find(outputCollection, { by: 'id', limit: 100 })).toHaveLength(5)
  })

  it('keeps the runs of a webhook although another one runs all the time', async () => {
    const webhooks = ['deploy', 'noisy'].map((id) => webhookNamed(id))
    const config = { history: { max_runs: 20 }, webhooks }
    const fixture = createFixture({ config, script: (command) => command.end() })
    for (let run = 0; run < 3; run++) await triggerWebhook(fixture.webhooks, 'deploy')
    for (let run = 0; run < 60; run++) {
      fixture.clock.advance(1)
      await triggerWebhook(fixture.webhooks, 'noisy')
    }
    await fixture.webhooks.work.history.trim()
    await settled()
    expect((await listRuns(fixture.webhooks, { webhook_id: 'deploy' })).runs).toHaveLength(3)
    expect((await listRuns(fixture.webhooks, { webhook_id: 'noisy' })).runs).toHaveLength(17)
  })

  it('may keep nothing', async () => {
    const config = { history: { max_runs: 0 }, webhooks: [webhookNamed('job')] }
    const { webhooks, storage } = createFixture({ config, script: (command) => command.end() })
    expect(await triggerWebhook(webhooks, 'job')).toMatchObject({ status: 'succeeded' })
    await settled()
    expect(await storage.find(runCollection, { by: 'id', limit: 9 })).toEqual([])
  })

  it('deletes a run after its time', async () => {
    const config = { history: { max_age: '1h' }, webhooks: [webhookNamed('job')] }
    const { webhooks, clock } = createFixture({ config, script: (command) => command.end() })
    await triggerWebhook(webhooks, 'job')
    clock.advance(3_599_999)
    expect((await listRuns(webhooks)).runs).toHaveLength(1)
    clock.advance(1)
    expect((await listRuns(webhooks)).runs).toEqual([])
  })
})

it('keeps the newest keys', async () => {
  const clock = createManualClock(0)
  const storage = createMemoryStorage({ clock })
  const count = maxKeys + 350
  const writes = Array.from({ length: count }, (_, index) =>
    keyCollection.write(`key ${index}`, { run_id: 'run', created_at: index }),
  )
  await storage.commit(writes)
  expect(await trimKeys({ storage, commit: commitTogether({ storage }) })).toBe(350)
  const [oldest] = await keyCollection.find(storage, { by: 'created_at', limit: 1 })
  expect(oldest?.id).toBe('key 350')
})
