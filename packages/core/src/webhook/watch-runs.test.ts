import { describe, expect, it } from 'vitest'
import { closeWebhooks } from './close-webhooks.ts'
import { runCollection, type StoredRun } from './records/run-record.ts'
import { runWebhook } from './run-webhook.ts'
import { createRunId } from './runs/run-id.ts'
import { createFixture, type Fixture, settled, webhookNamed } from './service.fixture.ts'
import { type RunChange, type RunChangesQuery, watchRuns } from './watch-runs.ts'

const config = {
  webhooks: [webhookNamed('job', { concurrency: 1 }), webhookNamed('other', { concurrency: 0 })],
}

/** Reads changes in the background. */
function follow({ webhooks, clock }: Fixture, query?: RunChangesQuery) {
  const changes = watchRuns(webhooks, query)
  const seen: RunChange[] = []
  const done = (async () => {
    for await (const change of changes) seen.push(change)
  })()
  return {
    done,
    seen,
    /** The changes since the last call, once the service has looked for some. */
    async next(): Promise<readonly string[]> {
      for (let looks = 0; looks < 3; looks++) {
        await settled()
        clock.advance(500)
      }
      await settled()
      return seen.splice(0).map(textOf)
    },
  }
}

const textOf = (change: RunChange): string =>
  change.type === 'run' || change.type === 'run-removed'
    ? `${change.data.webhook_id} ${change.type === 'run' ? change.data.status : 'removed'}`
    : `${change.type} ${JSON.stringify(change.data)}`

const start = ({ webhooks }: Fixture, id = 'job') =>
  runWebhook(webhooks, { id, token: 't' }).catch((error: unknown) => error)

/** The record of a run that has ended, one of many of its millisecond. */
function endedRun(at: number, index: number): StoredRun {
  const random = Uint8Array.from({ length: 10 }, (_, place) => (place === 0 ? index >> 8 : index))
  return {
    run_id: createRunId(at, random),
    webhook: 'job',
    status: 'succeeded',
    reason: null,
    exit_code: 0,
    signal: null,
    attempts: 1,
    created_at: at,
    started_at: at,
    finished_at: at,
    queued_ms: 0,
    duration_ms: 0,
    client_ip: null,
    request_id: null,
    stdout_bytes: 0,
    stderr_bytes: 0,
    stdout_truncated: false,
    stderr_truncated: false,
  }
}

describe('watching runs', () => {
  it('shows how runs begin, wait and end, without their output', async () => {
    const fixture = createFixture({ config })
    const listener = follow(fixture)
    expect(await listener.next()).toEqual(['ready {"resumed":false}'])
    void start(fixture)
    const command = await fixture.runner.started(1)
    fixture.clock.advance(1)
    void start(fixture)
    expect(await listener.next()).toEqual(['job running', 'job queued'])
    await command.write('stdout', 'secret output')
    command.end()
    const second = await fixture.runner.started(2)
    expect(await listener.next()).toEqual(['job succeeded', 'job running'])
    second.end(3)
    await settled()
    fixture.clock.advance(500)
    await settled()
    expect(JSON.stringify(listener.seen)).not.toContain('secret')
    expect(listener.seen[0]?.data).toMatchObject({
      status: 'failed',
      exit_code: 3,
      finished_at: expect.stringContaining('Z'),
    })
  })

  it('shows only runs of one webhook, if asked', async () => {
    const fixture = createFixture({ config })
    const listener = follow(fixture, { webhook_id: 'other' })
    await listener.next()
    void start(fixture)
    void start(fixture, 'other')
    await fixture.runner.started(2)
    expect(await listener.next()).toEqual(['other running'])
  })

  it('shows the runs of other processes, also long ones that end', async () => {
    const fixture = createFixture({ config })
    const other = createFixture({ config, storage: fixture.storage, clock: fixture.clock })
    void start(other)
    const command = await other.runner.started(1)
    fixture.clock.advance(60_000)
    const listener = follow(fixture)
    await listener.next()
    command.end()
    expect(await listener.next()).toEqual(['job succeeded'])
  })

  it('resumes in another process with all that was missed', async () => {
    const fixture = createFixture({ config })
    const other = createFixture({ config, storage: fixture.storage, clock: fixture.clock })
    void start(fixture)
    const command = await fixture.runner.started(1)
    fixture.clock.advance(60_000)
    const first = follow(fixture)
    void start(fixture, 'other')
    await fixture.runner.started(2)
    await settled()
    fixture.clock.advance(500)
    await settled()
    void start(fixture, 'other')
    await fixture.runner.started(3)
    fixture.clock.advance(500)
    await settled()
    const { position } = first.seen.at(-1) ?? expect.fail('no change')
    fixture.clock.advance(60_000)
    command.end()
    await settled()
    const again = follow(other, { since: position })
    expect(await again.next()).toEqual([
      'ready {"resumed":true}',
      'job succeeded',
      'other running',
      'other running',
    ])
  })

  it.each(['', 'x', '1.run_x', `zzzzzzzzzzzzzz.run_${'0'.repeat(26)}`])(
    'tells to read the list at the position "%s"',
    async (since) => {
      const listener = follow(createFixture({ config }), { since })
      expect(await listener.next()).toEqual(['ready {"resumed":false}'])
    },
  )

  it('tells to read the list if very much has changed or was missed', async () => {
    const { webhooks, ...fixture } = createFixture({ config })
    const listener = follow({ webhooks, ...fixture })
    await listener.next()
    const now = fixture.clock.now()
    const writes = Array.from({ length: 1_000 }, (_, index) => {
      const run = endedRun(now, index)
      return runCollection.write(run.run_id, run)
    })
    await fixture.storage.commit(writes)
    expect(await listener.next()).toEqual(['reset {}'])
    const late = follow(
      { webhooks, ...fixture },
      { since: `${now.toString(36)}.run_${'0'.repeat(26)}` },
    )
    expect(await late.next()).toEqual(['ready {"resumed":false}'])
  })

  it('says that a run is gone whose record the history has dropped', async () => {
    const fixture = createFixture({ config })
    const { storage } = fixture
    void start(fixture)
    await fixture.runner.started(1)
    const listener = follow(fixture)
    await listener.next()
    const [run] = await runCollection.find(storage, { by: 'id', limit: 1 })
    await storage.commit([runCollection.remove(run?.id ?? '')])
    expect(await listener.next()).toEqual(['job removed'])
  })

  it('ends when the service closes', async () => {
    const fixture = createFixture({ config })
    const listener = follow(fixture)
    await listener.next()
    await closeWebhooks(fixture.webhooks)
    await listener.done
    expect(listener.seen.map(textOf)).toEqual(['end {"reason":"closing"}'])
    await expect(watchRuns(fixture.webhooks).next()).rejects.toMatchObject({
      reason: 'ServiceClosing',
    })
  })
})
