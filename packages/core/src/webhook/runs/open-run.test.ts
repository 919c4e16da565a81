import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'
import type { Storage } from '../../storage/storage.ts'
import { createManualClock } from '../../testing/index.ts'
import { cancelRun } from '../cancel-run.ts'
import { getRun } from '../get-run.ts'
import { runCollection } from '../records/run-record.ts'
import type { Run } from '../run.ts'
import {
  createFixture,
  endAtOnce,
  type Fixture,
  settled,
  webhookNamed,
} from '../service.fixture.ts'
import { triggerWebhook } from '../trigger-webhook.ts'
import { updateWebhooksConfig } from '../update-webhooks-config.ts'
import { findRunHandle } from './find-run.ts'

const isRun = (given: object): given is Run => 'id' in given

/** Starts a run, and returns its state once it is queued or has a place. */
async function ask({ webhooks }: Fixture, id = 'job', data: object = {}): Promise<Run> {
  const run = await triggerWebhook(webhooks, id, data, { wait: false })
  if (!isRun(run)) throw new Error('the rules were not satisfied')
  return run
}

const statusOf = async ({ webhooks }: Fixture, { id: run_id }: Run): Promise<string> =>
  (await getRun(webhooks, run_id)).status

describe('a busy webhook', () => {
  it('runs in the order of arrival, as many at once as its concurrency', async () => {
    const fixture = createFixture({
      config: { webhooks: [webhookNamed('job', { concurrency: 2 })] },
    })
    const { clock, runner } = fixture
    const runs: Run[] = []
    for (let index = 0; index < 4; index++) {
      runs.push(await ask(fixture))
      clock.advance(10)
    }
    expect(runs.map(({ status }) => status)).toEqual(['running', 'running', 'queued', 'queued'])
    runner.commands[1]?.end()
    await settled()
    const statuses = await Promise.all(runs.map((run) => statusOf(fixture, run)))
    expect(statuses).toEqual(['running', 'succeeded', 'running', 'queued'])
    expect(runner.commands[2]?.command.env.GATEHOUSE_RUN_ID).toBe(runs[2]?.id)
    const [, , third] = runs
    expect(await fixture.webhooks.work.board.find(third?.id ?? '')?.started).toMatchObject({
      queued_ms: 20,
      created_at: clock.now() - 20,
      started_at: clock.now(),
    })
  })

  it('refuses with a time to retry when too many wait', async () => {
    const fixture = createFixture({ config: { webhooks: [webhookNamed('job', { queue: 1 })] } })
    const { clock, runner } = fixture
    await ask(fixture)
    await settled()
    clock.advance(8_000)
    runner.commands[0]?.end()
    await settled()
    await ask(fixture)
    await ask(fixture)
    await expect(ask(fixture)).rejects.toMatchObject({
      reason: 'queue_full',
      info: { retryAfterSeconds: 16 },
    })
    expect(fixture.webhooks.work.board.size).toBe(2)
  })

  it('with on_busy reject refuses while it runs, and not before or after', async () => {
    const fixture = createFixture({
      config: { webhooks: [webhookNamed('job', { on_busy: 'reject' })] },
    })
    await ask(fixture)
    await expect(ask(fixture)).rejects.toMatchObject({
      reason: 'queue_full',
      info: { retryAfterSeconds: 1 },
    })
    fixture.runner.commands[0]?.end()
    await settled()
    expect(await ask(fixture)).toMatchObject({ status: 'running' })
  })

  it('with on_busy latest lets only the latest run wait', async () => {
    const fixture = createFixture({
      config: { webhooks: [webhookNamed('job', { on_busy: 'latest', queue: 1 })] },
    })
    const { webhooks, runner } = fixture
    const first = await ask(fixture)
    const waiters = [1, 2, 3].map((n) => triggerWebhook(webhooks, 'job', { n }, { wait: true }))
    expect(await waiters[0]).toMatchObject({ status: 'superseded', reason: null, attempts: 0 })
    expect(await waiters[1]).toMatchObject({ status: 'superseded', started_at: null })
    runner.commands[0]?.end()
    await runner.started(2)
    runner.commands[1]?.end()
    expect(await waiters[2]).toMatchObject({ status: 'succeeded' })
    expect(await statusOf(fixture, first)).toBe('succeeded')
    expect(runner.commands).toHaveLength(2)
  })

  it('with on_busy latest keeps exactly one of many concurrent deliveries', async () => {
    const fixture = createFixture({
      config: { webhooks: [webhookNamed('job', { on_busy: 'latest' })] },
    })
    const { webhooks, runner } = fixture
    const all = Array.from({ length: 50 }, (_, n) =>
      triggerWebhook(webhooks, 'job', { n }, { wait: true }),
    )
    const superseded = Promise.all(all.slice(1, -1))
    await runner.started(1)
    await superseded
    runner.commands[0]?.end()
    await runner.started(2)
    runner.commands[1]?.end()
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    expect(statuses).toEqual(['succeeded', ...Array(48).fill('superseded'), 'succeeded'])
  })

  it('does not block others when places of the server are scarce', async () => {
    const fixture = createFixture({
      config: {
        limits: { concurrency: 1 },
        webhooks: ['a', 'b'].map((id) => webhookNamed(id, { concurrency: 0 })),
      },
    })
    for (const id of ['a', 'a', 'a', 'b']) await ask(fixture, id)
    for (let index = 0; index < 4; index++) {
      fixture.runner.commands[index]?.end()
      await settled()
    }
    const order = fixture.runner.commands.map(({ command }) => command.env.GATEHOUSE_WEBHOOK_ID)
    expect(order).toEqual(['a', 'a', 'b', 'a'])
  })
})

describe('a run that is canceled', () => {
  it('ends at once while it waits, and frees its place in the queue', async () => {
    const fixture = createFixture({ config: { webhooks: [webhookNamed('job', { queue: 1 })] } })
    const { webhooks } = fixture
    await ask(fixture)
    const waiting = await ask(fixture)
    const ended = findRunHandle(webhooks, waiting.id)?.ended
    await cancelRun(webhooks, waiting.id)
    expect(await ended).toMatchObject({
      status: 'canceled',
      reason: 'canceled',
      exit_code: null,
      duration_ms: null,
    })
    expect(await ask(fixture)).toMatchObject({ status: 'queued' })
    await expect(cancelRun(webhooks, waiting.id)).rejects.toMatchObject({
      reason: 'run_finished',
    })
  })

  it('ends with its command while it runs', async () => {
    const fixture = createFixture()
    const { webhooks, runner } = fixture
    const { id: run_id } = await ask(fixture)
    const ended = findRunHandle(webhooks, run_id)?.ended
    expect(await cancelRun(webhooks, run_id)).toMatchObject({ status: 'running' })
    expect(await ended).toMatchObject({ status: 'canceled', exit_code: 143, signal: 'SIGTERM' })
    expect(runner.commands[0]?.signals).toEqual(['SIGTERM'])
    expect(await getRun(webhooks, run_id)).toMatchObject({ status: 'canceled' })
    await expect(cancelRun(webhooks, 'run_0')).rejects.toMatchObject({ reason: 'unknown_run' })
  })

  it('has one end, whichever comes first', async () => {
    const fixture = createFixture()
    const { webhooks, runner } = fixture
    for (const isCancelFirst of [true, false]) {
      const { id: run_id } = await ask(fixture)
      const handle = findRunHandle(webhooks, run_id)
      const steps = [() => handle?.cancel('canceled'), () => runner.commands.at(-1)?.end()]
      for (const step of isCancelFirst ? steps : steps.reverse()) step()
      const end = await handle?.ended
      expect(end?.status).toMatch(isCancelFirst ? /^canceled$/ : /^(succeeded|canceled)$/)
      handle?.cancel('canceled')
      await settled()
      expect(await getRun(webhooks, run_id)).toEqual(end)
    }
    expect(webhooks.work.board.size).toBe(0)
  })
})

describe('a command that is ended by the service', () => {
  it('times out, counted from its start', async () => {
    const fixture = createFixture({
      config: { webhooks: [webhookNamed('job', { timeout: '300ms', output_bytes: 3 })] },
    })
    const { webhooks, clock, runner } = fixture
    const { id: run_id } = await ask(fixture)
    const ended = findRunHandle(webhooks, run_id)?.ended
    await runner.commands[0]?.write('stdout', 'abcdef')
    clock.advance(300)
    expect(await ended).toMatchObject({
      status: 'timed_out',
      reason: null,
      duration_ms: 300,
      stdout: 'abc',
      stdout_bytes: 6,
      stdout_truncated: true,
    })
    // Left are the heartbeat, and the polls for cancel requests and for waiting processes.
    expect(clock.pendingTimers).toBe(3)
    clock.advance(10_000)
    await settled()
    expect(clock.pendingTimers).toBe(0)
  })
})

describe('a record', () => {
  it('exists before the run is answered', async () => {
    const fixture = createFixture()
    const { id: run_id } = await ask(fixture)
    const waiting = await ask(fixture)
    const records = await fixture.storage.get(runCollection, [run_id, waiting.id])
    expect(records).toMatchObject([
      { value: { status: 'running', webhook: 'job', server: expect.any(String) } },
      { value: { status: 'queued' } },
    ])
  })

  it('says that a waiting run has started after a short delay', async () => {
    const fixture = createFixture()
    const { clock, runner, storage } = fixture
    await ask(fixture)
    const { id: run_id } = await ask(fixture)
    runner.commands[0]?.end()
    await settled()
    expect(await runCollection.get(storage, run_id)).toMatchObject({ value: { status: 'queued' } })
    clock.advance(100)
    await settled()
    expect(await runCollection.get(storage, run_id)).toMatchObject({ value: { status: 'running' } })
    runner.commands[1]?.end()
    await settled()
    const record = await runCollection.get(storage, run_id)
    expect(record).toMatchObject({ value: { status: 'succeeded' }, expiresAt: expect.any(Number) })
    expect(record?.value).not.toHaveProperty('server')
  })

  it('contains as much output as the history keeps, and arguments only if configured', async () => {
    const webhook = webhookNamed('job', {
      execute_command: 'printf x',
      include_output: true,
      command_arguments: [{ source: 'data.v' }],
    })
    const run = async (history: object): Promise<Run> => {
      const fixture = createFixture({
        config: { history, webhooks: [webhook] },
        script: async (command) => {
          await command.write('stdout', 'a€b')
          command.end()
        },
      })
      const ended = await triggerWebhook(fixture.webhooks, 'job', { v: 'private' })
      expect(ended).toMatchObject({ stdout: 'a€b', stdout_bytes: 5, stdout_truncated: false })
      return getRun(fixture.webhooks, isRun(ended) ? ended.id : '')
    }
    const short = await run({ output_bytes: 3 })
    expect(short).toMatchObject({ stdout: 'a', stdout_bytes: 5, stdout_truncated: true })
    expect(short).not.toHaveProperty('argv')
    const whole = await run({ argv: true })
    expect(whole.argv).toEqual(['printf', 'x', 'private'])
    expect(whole.stdout).toBe('a€b')
  })
})

it('concurrent deliveries share commits', async () => {
  const clock = createManualClock()
  const memory = createMemoryStorage({ clock })
  let commits = 0
  const storage: Storage = {
    ...memory,
    commit(writes) {
      commits++
      return memory.commit(writes)
    },
  }
  const webhooks = [webhookNamed('job', { queue: 1_000 })]
  const fixture = createFixture({ clock, storage, config: { webhooks } })
  await Promise.all(Array.from({ length: 200 }, () => ask(fixture)))
  expect(await storage.find(runCollection, { by: 'id', limit: 1_000 })).toHaveLength(200)
  expect(commits).toBeLessThan(5)
})

describe('a reload', () => {
  it('leaves accepted runs with their definition, and keeps the counts', async () => {
    const old = webhookNamed('job', { execute_command: 'printf old' })
    const fixture = createFixture({ config: { webhooks: [old] } })
    const { webhooks, runner } = fixture
    await ask(fixture)
    const waiting = await ask(fixture)
    updateWebhooksConfig(webhooks, {
      webhooks: [webhookNamed('job', { execute_command: 'printf new', queue: 1 })],
    })
    await expect(ask(fixture)).rejects.toMatchObject({ reason: 'queue_full' })
    runner.commands[0]?.end()
    await settled()
    const later = await ask(fixture)
    runner.commands[1]?.end()
    await settled()
    expect(runner.commands.map(({ command }) => command.args)).toEqual([['old'], ['old'], ['new']])
    expect(await statusOf(fixture, waiting)).toBe('succeeded')
    expect(await statusOf(fixture, later)).toBe('running')
  })

  it('lets runs of a removed webhook finish', async () => {
    const fixture = createFixture()
    const { webhooks, runner } = fixture
    const runs = [await ask(fixture), await ask(fixture)]
    updateWebhooksConfig(webhooks, { webhooks: [] })
    await expect(ask(fixture)).rejects.toMatchObject({ reason: 'unknown_webhook' })
    for (let index = 0; index < 2; index++) {
      runner.commands[index]?.end()
      await settled()
    }
    for (const run of runs) expect(await statusOf(fixture, run)).toBe('succeeded')
  })

  it('starts more runs at once if the limit was raised', async () => {
    const webhooks = ['a', 'b'].map((id) => webhookNamed(id))
    const fixture = createFixture({ config: { limits: { concurrency: 1 }, webhooks } })
    await ask(fixture, 'a')
    await ask(fixture, 'b')
    expect(fixture.runner.commands).toHaveLength(1)
    updateWebhooksConfig(fixture.webhooks, { webhooks })
    await settled()
    expect(fixture.runner.commands).toHaveLength(2)
  })

  it('during deliveries makes a run of each, or refuses it', async () => {
    const fixture = createFixture({ script: endAtOnce })
    const { webhooks, runner } = fixture
    const results: Promise<string>[] = []
    for (let index = 0; index < 40; index++) {
      const made = triggerWebhook(webhooks, 'job').then(
        () => 'made',
        (error) => String(error.reason),
      )
      results.push(made)
      const definitions = index % 2 === 0 ? [] : [webhookNamed('job')]
      if (index % 5 === 0) updateWebhooksConfig(webhooks, { webhooks: definitions })
      if (index % 7 === 0) await settled()
    }
    const outcomes = await Promise.all(results)
    expect(new Set(outcomes)).toEqual(new Set(['made', 'unknown_webhook']))
    expect(runner.commands).toHaveLength(outcomes.filter((outcome) => outcome === 'made').length)
    expect(webhooks.work.board.size).toBe(0)
  })
})
