import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'
import { createManualClock } from '../testing/index.ts'
import { closeWebhooks } from './close-webhooks.ts'
import { getRun } from './get-run.ts'
import type { CommandRunner } from './runner/command.ts'
import {
  createFixture,
  endAtOnce,
  type Fixture,
  settled,
  until,
  webhookNamed,
} from './service.fixture.ts'
import { triggerWebhook } from './trigger-webhook.ts'

/** The outcome of a run, or the reason why none was made. */
const outcome = ({ webhooks }: Fixture, wait = true): Promise<string> =>
  triggerWebhook(webhooks, 'job', {}, { wait }).then(
    (run) => ('reason' in run ? `${run.status} ${run.reason}` : run.status),
    (error) => String(error.reason),
  )

/** Whether a promise has settled. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let is = false
  const settle = (): void => {
    is = true
  }
  promise.then(settle, settle)
  await settled()
  return is
}

describe('closing', () => {
  it('refuses new runs, cancels waiting ones and lets running ones finish', async () => {
    const fixture = createFixture()
    const { webhooks, runner, clock } = fixture
    const both = [outcome(fixture), outcome(fixture)]
    await until(() => webhooks.work.board.size === 2)
    await runner.started(1)
    const closing = closeWebhooks(webhooks)
    expect(webhooks.isStopping()).toBe(true)
    expect(await outcome(fixture)).toBe('shutting_down')
    expect(await both[1]).toBe('canceled shutdown')
    clock.advance(29_999)
    expect(await isSettled(closing)).toBe(false)
    runner.commands[0]?.end()
    expect(await both[0]).toBe('succeeded null')
    await closing
    expect(clock.pendingTimers).toBe(0)
    expect(runner.commands[0]?.signals).toEqual([])
  })

  it('ends commands that exceed the grace period', async () => {
    const fixture = createFixture()
    const { webhooks, runner, clock } = fixture
    const running = outcome(fixture)
    await runner.started(1)
    const closing = closeWebhooks(webhooks, { graceMs: 5_000 })
    clock.advance(5_000)
    expect(await running).toBe('canceled shutdown')
    await closing
    expect(runner.commands[0]?.signals).toEqual(['SIGTERM'])
    expect(clock.pendingTimers).toBe(0)
  })

  it('can be shortened by a later call, and runs only once', async () => {
    let closed = 0
    const { commands, ...script } = createScript()
    const runner: CommandRunner = { ...script, close: async () => void closed++ }
    const fixture = createFixture({ runner })
    const running = outcome(fixture)
    await until(() => commands.length === 1)
    await settled()
    const closings = [closeWebhooks(fixture.webhooks), closeWebhooks(fixture.webhooks)]
    expect(await isSettled(Promise.race(closings))).toBe(false)
    closings.push(closeWebhooks(fixture.webhooks, { graceMs: 0, killGraceMs: 0 }))
    expect(commands[0]?.signals).toEqual(['SIGTERM', 'SIGKILL'])
    expect(await running).toBe('canceled shutdown')
    await Promise.all(closings)
    await closeWebhooks(fixture.webhooks)
    expect(closed).toBe(1)
    expect(fixture.clock.pendingTimers).toBe(0)
  })

  it('does not wait forever for a command that cannot be killed', async () => {
    const start: CommandRunner['start'] = async () => ({
      running: { ended: new Promise(() => {}), signal() {} },
    })
    const fixture = createFixture({ runner: { start, close: async () => {} } })
    expect(await outcome(fixture, false)).toBe('running null')
    const closing = closeWebhooks(fixture.webhooks, { graceMs: 0 })
    fixture.clock.advance(9_999)
    expect(await isSettled(closing)).toBe(false)
    fixture.clock.advance(1)
    await closing
    expect(fixture.lines.at(-1)?.message).toBe(
      'commands are still running although they were killed',
    )
  })

  it('releases callers that wait for a run of another process', async () => {
    const clock = createManualClock()
    const storage = createMemoryStorage({ clock })
    const config = { webhooks: [webhookNamed('job', { dedupe: { key: 'header:k' } })] }
    const [one, two] = [1, 2].map(() => createFixture({ clock, storage, config }))
    const ask = (fixture: Fixture | undefined) =>
      triggerWebhook((fixture as Fixture).webhooks, 'job', {}, { headers: { k: '1' } })
    void ask(one)
    await one?.runner.started(1)
    const waiting = ask(two)
    // For the run: its timeout, the heartbeat, the polls for cancel requests and for waiting processes. For the caller: the poll
    // of the record.
    await until(() => clock.pendingTimers === 5)
    await closeWebhooks((two as Fixture).webhooks, { graceMs: 0 })
    expect(await waiting).toMatchObject({ status: 'running' })
  })

  it('gives every run an end and every caller an answer, whenever it happens', async () => {
    for (let turns = 0; turns < 12; turns++) {
      const fixture = createFixture({
        config: { webhooks: [webhookNamed('job', { concurrency: 2 })] },
        script: endAtOnce,
      })
      const { webhooks, clock, storage } = fixture
      const calls = Array.from({ length: 6 }, () => outcome(fixture))
      for (let turn = 0; turn < turns; turn++) await Promise.resolve()
      const closing = closeWebhooks(webhooks, { graceMs: 0 })
      const outcomes = await Promise.all(calls)
      await closing
      for (const one of outcomes) {
        expect(one).toMatch(/^(succeeded null|canceled shutdown|shutting_down)$/)
      }
      expect([webhooks.work.board.size, clock.pendingTimers]).toEqual([0, 0])
      const records = await storage.find(
        { name: 'webhook_runs', fields: { webhook: 'text', server: 'text' }, feed: false },
        { by: 'id', limit: 10 },
      )
      const made = outcomes.filter((one) => one !== 'shutting_down')
      expect(records).toHaveLength(made.length)
      for (const { id } of records) {
        expect((await getRun(webhooks, id)).finished_at).not.toBeNull()
      }
    }
  })
})

/** A runner whose commands end only by SIGKILL. */
function createScript(): CommandRunner & { commands: { signals: string[] }[] } {
  const commands: { signals: string[] }[] = []
  const nothing = { bytes: new Uint8Array(), total: 0 }
  return {
    commands,
    async start() {
      const signals: string[] = []
      commands.push({ signals })
      let end = (): void => {}
      const ended = new Promise<void>((resolve) => {
        end = resolve
      }).then(() => ({ exitCode: 137, signal: 'SIGKILL', stdout: nothing, stderr: nothing }))
      const signal = (name: string): void => {
        signals.push(name)
        if (name === 'SIGKILL') end()
      }
      return { running: { ended, signal } }
    },
    close: async () => {},
  }
}
