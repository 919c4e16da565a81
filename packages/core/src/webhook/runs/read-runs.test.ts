import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Storage } from '../../storage/storage.ts'
import { createManualClock, type ManualClock } from '../../testing/index.ts'
import { cancelRun } from '../cancel-run.ts'
import { closeWebhooks } from '../close-webhooks.ts'
import { getRun } from '../get-run.ts'
import { listRuns } from '../list-runs.ts'
import { runCollection } from '../records/run-record.ts'
import { serverCollection } from '../records/server-record.ts'
import type { Run, RunStatus } from '../run.ts'
import {
  createFixture,
  endAtOnce,
  type Fixture,
  type FixtureOptions,
  settled,
  webhookNamed,
} from '../service.fixture.ts'
import { triggerWebhook } from '../trigger-webhook.ts'
import { startRecords } from './start-records.ts'

const config = { webhooks: ['a', 'b'].map((id) => webhookNamed(id)) }

/** The state of a new run once it is queued or has a place. */
async function ask({ webhooks }: Fixture, id = 'a'): Promise<Run> {
  const run = await triggerWebhook(webhooks, id, {}, { wait: false })
  if (!('id' in run)) throw new Error('the rules were not satisfied')
  return run
}

/** Processes over one database. A process with a clock of its own is suspended. */
function createWorld(): {
  clock: ManualClock
  storage: Storage
  start: (options?: FixtureOptions) => Fixture
} {
  const clock = createManualClock()
  const storage = createSqliteStorage({ filename: ':memory:', clock })
  onTestFinished(() => storage.close())
  return {
    clock,
    storage,
    start: (options) => createFixture({ clock, storage, config, ...options }),
  }
}

async function pass(clock: ManualClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1_000) {
    clock.advance(1_000)
    await settled()
  }
}

describe('a run of another process', () => {
  it('is read as it was recorded, and as it ended', async () => {
    const { start } = createWorld()
    const [one, two] = [start(), start()]
    const run = await ask(one)
    expect(await getRun(two.webhooks, run.id)).toEqual({ ...run, started_at: run.created_at })
    await one.runner.commands[0]?.write('stdout', 'hello')
    one.runner.commands[0]?.end(4)
    await settled()
    expect(await getRun(two.webhooks, run.id)).toMatchObject({
      status: 'failed',
      stdout: 'hello',
    })
  })

  it('is lost once its process has no heartbeat for 30 s, and not before', async () => {
    const { clock, start } = createWorld()
    const [frozen, alive] = [start({ clock: createManualClock() }), start()]
    const run = await ask(frozen)
    // Watching starts with the first read.
    for (let second = 0; second < 30; second++) {
      expect((await getRun(alive.webhooks, run.id)).status).toBe('running')
      await pass(clock, 1_000)
    }
    expect(await getRun(alive.webhooks, run.id)).toMatchObject({
      status: 'lost',
      finished_at: null,
      exit_code: null,
    })
    expect((await listRuns(alive.webhooks, { status: 'lost' })).runs).toHaveLength(1)
    expect((await listRuns(alive.webhooks, { status: 'running' })).runs).toEqual([])
    await expect(cancelRun(alive.webhooks, run.id)).rejects.toMatchObject({
      reason: 'run_finished',
    })
  })

  it('is not lost while its process lives, however long it takes', async () => {
    const { clock, start } = createWorld()
    const [one, two] = [start(), start()]
    const runs = [await ask(one), await ask(one)]
    await pass(clock, 120_000)
    const states = await Promise.all(runs.map(({ id: run_id }) => getRun(two.webhooks, run_id)))
    expect(states.map(({ status }) => status)).toEqual(['running', 'queued'])
    expect((await serverCollection.find(one.storage, { by: 'id', limit: 9 })).length).toBe(1)
  })

  it('is canceled from here within a second', async () => {
    const { clock, start } = createWorld()
    const [one, two] = [start(), start()]
    const [running, waiting] = [await ask(one), await ask(one)]
    expect(await cancelRun(two.webhooks, running.id)).toMatchObject({ status: 'running' })
    await cancelRun(two.webhooks, waiting.id)
    await pass(clock, 1_000)
    for (const { id: run_id } of [running, waiting]) {
      expect(await getRun(two.webhooks, run_id)).toMatchObject({
        status: 'canceled',
        reason: 'canceled',
      })
    }
    expect(one.runner.commands[0]?.signals).toEqual(['SIGTERM'])
  })
})

describe('a process', () => {
  it('sends no heartbeat and polls nothing without runs', async () => {
    const { clock, storage, start } = createWorld()
    start({ script: endAtOnce })
    const fixture = start({ script: endAtOnce })
    expect(clock.pendingTimers).toBe(0)
    await ask(fixture)
    await settled()
    await pass(clock, 40_000)
    expect(clock.pendingTimers).toBe(0)
    expect(await serverCollection.find(storage, { by: 'id', limit: 9 })).toEqual([])
  })

  it('removes its heartbeat record when it is closed, and no run is lost by that', async () => {
    const { storage, start } = createWorld()
    const [one, two] = [start(), start()]
    const runs = [await ask(one), await ask(one)]
    const closing = closeWebhooks(one.webhooks, { graceMs: 0 })
    const seen = Promise.all(runs.map(({ id: run_id }) => getRun(two.webhooks, run_id)))
    await closing
    expect((await seen).map(({ status }) => status)).not.toContain('lost')
    expect(await serverCollection.find(storage, { by: 'id', limit: 9 })).toEqual([])
    const ends = await Promise.all(runs.map(({ id: run_id }) => getRun(two.webhooks, run_id)))
    expect(ends).toMatchObject([
      { status: 'canceled', reason: 'shutdown' },
      { status: 'canceled', reason: 'shutdown' },
    ])
  })
})

describe('startRecords', () => {
  it('records lost runs, at its start and later on', async () => {
    const { clock, storage, start } = createWorld()
    const frozen = start({ clock: createManualClock() })
    const alive = start()
    const finished: Run[] = []
    alive.webhooks.events.on('run.finished', (run) => finished.push(run))
    const early = await ask(frozen)
    const running = await ask(alive)
    const work = startRecords(alive.webhooks)
    onTestFinished(() => work.stop())
    await settled()
    await pass(clock, 30_000)
    expect(await runCollection.get(storage, early.id)).toMatchObject({
      value: { status: 'lost' },
      expiresAt: clock.now() + 86_400_000,
    })
    const later = start({ clock: createManualClock(clock.now()) })
    const late = await ask(later, 'b')
    await pass(clock, 61_000)
    expect(await runCollection.get(storage, late.id)).toMatchObject({
      value: { status: 'lost' },
    })
    expect((await getRun(alive.webhooks, running.id)).status).toBe('running')
    const losses = alive.lines.filter(({ message }) => message.startsWith('a run is lost'))
    expect(losses.map(({ fields }) => fields.run_id)).toEqual([early.id, late.id])
    expect(finished).toMatchObject([
      { id: early.id, status: 'lost' },
      { id: late.id, status: 'lost' },
    ])
  })

  it('does not let a slow process change what was recorded', async () => {
    const { clock, start } = createWorld()
    const slow = start({ clock: createManualClock() })
    const alive = start()
    const run = await ask(slow)
    const work = startRecords(alive.webhooks)
    await pass(clock, 31_000)
    await work.stop()
    slow.runner.commands[0]?.end()
    await settled()
    expect(await getRun(alive.webhooks, run.id)).toMatchObject({ status: 'lost' })
    expect(slow.webhooks.work.board.size).toBe(0)
    expect(slow.lines).toContainEqual(
      expect.objectContaining({ message: 'another process ended the record of a run' }),
    )
  })

  it('leaves no timer behind', async () => {
    const { clock, start } = createWorld()
    const work = startRecords(start().webhooks)
    await settled()
    expect(clock.pendingTimers).toBe(1)
    await work.stop()
    expect(clock.pendingTimers).toBe(0)
  })
})

describe('a list of runs', () => {
  /** Runs of both webhooks in turn, a second apart; every third one fails. */
  async function createHistory(count: number): Promise<{ fixture: Fixture; ids: string[] }> {
    const { clock, start } = createWorld()
    let commands = 0
    const fixture = start({ script: (command) => command.end(commands++ % 3 === 2 ? 1 : 0) })
    const ids: string[] = []
    for (let index = 0; index < count; index++) {
      ids.unshift((await ask(fixture, index % 2 === 0 ? 'a' : 'b')).id)
      await settled()
      clock.advance(1_000)
    }
    return { fixture, ids }
  }

  it('is sorted from newest to oldest, in pages', async () => {
    const { fixture, ids } = await createHistory(7)
    const seen: string[] = []
    const sizes: number[] = []
    let before: string | null | undefined
    while (before !== null) {
      const page = await listRuns(fixture.webhooks, { limit: 3, ...(before ? { before } : {}) })
      seen.push(...page.runs.map(({ id: run_id }) => run_id))
      sizes.push(page.runs.length)
      before = page.next
    }
    expect(seen).toEqual(ids)
    expect(sizes).toEqual([3, 3, 1])
    expect((await listRuns(fixture.webhooks, { limit: 7 })).next).toBeNull()
  })

  it('can be filtered by webhook, by status, or by both', async () => {
    const { fixture, ids } = await createHistory(12)
    const listed = async (filter: {
      webhook_id?: string
      status?: RunStatus
    }): Promise<number[]> => {
      const { runs, next } = await listRuns(fixture.webhooks, filter)
      expect(next).toBeNull()
      return runs.map(({ id: run_id }) => 11 - ids.indexOf(run_id))
    }
    expect(await listed({ webhook_id: 'b' })).toEqual([11, 9, 7, 5, 3, 1])
    expect(await listed({ status: 'failed' })).toEqual([11, 8, 5, 2])
    expect(await listed({ webhook_id: 'b', status: 'failed' })).toEqual([11, 5])
    expect(await listed({ webhook_id: 'nobody' })).toEqual([])
    const first = await listRuns(fixture.webhooks, { webhook_id: 'b', status: 'failed', limit: 1 })
    const { next } = first
    const second = await listRuns(fixture.webhooks, {
      webhook_id: 'b',
      status: 'failed',
      limit: 1,
      before: next ?? '',
    })
    expect(second).toMatchObject({ runs: [{ id: ids[6] }], next: null })
  })

  it('shows the current state of runs of this process', async () => {
    const { start } = createWorld()
    const fixture = start()
    const run = await ask(fixture)
    await fixture.runner.commands[0]?.write('stdout', 'so far')
    const { runs } = await listRuns(fixture.webhooks)
    expect(runs).toMatchObject([{ id: run.id, status: 'running', stdout: 'so far' }])
  })

  it.each([0, 501, 1.5, Number.NaN])('refuses a limit of %d', async (limit) => {
    const { webhooks } = createFixture()
    await expect(listRuns(webhooks, { limit })).rejects.toMatchObject({ reason: 'InvalidInput' })
  })
})

it('an id that no run can have is unknown, whatever it is', async () => {
  const { webhooks } = createFixture()
  for (const id of ['', 'run_', `run_${'0'.repeat(26)}`, 'x'.repeat(10_000), 'a\0', '\ud800']) {
    await expect(getRun(webhooks, id)).rejects.toMatchObject({ reason: 'unknown_run' })
  }
})
