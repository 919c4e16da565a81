import { describe, expect, it } from 'vitest'
import { cancelRun } from '../cancel-run.ts'
import { closeWebhooks } from '../close-webhooks.ts'
import type { ScriptedCommand } from '../scripted-runner.fixture.ts'
import { createFixture, type Fixture, settled, webhookNamed } from '../service.fixture.ts'
import { triggerWebhook } from '../trigger-webhook.ts'

const service = (
  retries: object,
  script: (command: ScriptedCommand, nth: number) => void = () => {},
  more: object = {},
): Fixture => {
  let nth = 0
  return createFixture({
    config: { webhooks: [webhookNamed('job', { retries, ...more })] },
    script: (command) => script(command, ++nth),
  })
}

/** Lets time pass in steps, with all work that it causes. */
async function pass({ clock }: Fixture, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 500) {
    clock.advance(500)
    await settled()
  }
}

describe('retries', () => {
  it('start a failed command again after a wait that doubles up to a limit', async () => {
    const startedAt: number[] = []
    const fixture = service({ count: 4, delay: '10s', max_delay: '25s' }, (command) => {
      startedAt.push(fixture.clock.now())
      command.end(1)
    })
    const began = fixture.clock.now()
    const run = triggerWebhook(fixture.webhooks, 'job', null, { wait: true })
    await settled()
    await pass(fixture, 120_000)
    expect(startedAt.map((at) => at - began)).toEqual([0, 10_000, 30_000, 55_000, 80_000])
    expect(await run).toMatchObject({ status: 'failed', exit_code: 1, attempts: 5 })
  })

  it('tell the command which start it is, with the same run and arguments', async () => {
    const fixture = service(
      { count: 2, delay: 1 },
      (command, nth) => command.end(nth < 3 ? 1 : 0),
      { command_arguments: [{ name: '-b', source: 'data.branch' }] },
    )
    const run = triggerWebhook(fixture.webhooks, 'job', { branch: 'main' }, { wait: true })
    await settled()
    await pass(fixture, 10_000)
    expect(await run).toMatchObject({ status: 'succeeded', attempts: 3, exit_code: 0 })
    const given = fixture.runner.commands.map(({ command: { args, env } }) => ({
      args,
      attempt: env.GATEHOUSE_ATTEMPT,
      isSame: env.GATEHOUSE_RUN_ID === fixture.runner.commands[0]?.command.env.GATEHOUSE_RUN_ID,
    }))
    expect(given).toEqual(
      ['1', '2', '3'].map((attempt) => ({ args: ['-b', 'main'], attempt, isSame: true })),
    )
  })

  it('are only for the exit codes that are named', async () => {
    const fixture = service({ count: 5, delay: 1, exit_codes: [75] }, (command, nth) =>
      command.end(nth === 1 ? 75 : 1),
    )
    const run = triggerWebhook(fixture.webhooks, 'job', null, { wait: true })
    await settled()
    await pass(fixture, 20_000)
    expect(await run).toMatchObject({ status: 'failed', exit_code: 1, attempts: 2 })
  })

  it('follow a timeout, unless exit codes are named', async () => {
    const retried = service({ count: 1, delay: 1 }, () => {}, { timeout: 2 })
    const run = triggerWebhook(retried.webhooks, 'job', null, { wait: true })
    await settled()
    await pass(retried, 10_000)
    expect(await run).toMatchObject({ status: 'timed_out', attempts: 2 })

    const once = service({ count: 1, delay: 1, exit_codes: [1] }, () => {}, { timeout: 2 })
    const other = triggerWebhook(once.webhooks, 'job', null, { wait: true })
    await settled()
    await pass(once, 10_000)
    expect(await other).toMatchObject({ status: 'timed_out', attempts: 1 })
  })

  it('keep the place of the run, so that runs stay in order', async () => {
    const fixture = service({ count: 1, delay: 5 }, (command, nth) =>
      command.end(nth === 1 ? 1 : 0),
    )
    const [first, second] = [1, 2].map(() =>
      triggerWebhook(fixture.webhooks, 'job', null, { wait: true }),
    )
    await settled()
    await pass(fixture, 4_000)
    expect(fixture.runner.commands).toHaveLength(1)
    await pass(fixture, 4_000)
    expect(await first).toMatchObject({ status: 'succeeded', attempts: 2 })
    expect(await second).toMatchObject({ status: 'succeeded', attempts: 1 })
  })

  it('end at a cancel during the wait', async () => {
    const fixture = service({ count: 9, delay: 60 }, (command) => command.end(3))
    const run = triggerWebhook(fixture.webhooks, 'job', null, { wait: true })
    await settled()
    const [only] = fixture.webhooks.work.board.all()
    await cancelRun(fixture.webhooks, only?.run_id ?? '')
    expect(await run).toMatchObject({ status: 'canceled', reason: 'canceled', attempts: 1 })
  })

  it('do not hold up a service that closes: the run ends as its command did', async () => {
    const fixture = service({ count: 9, delay: 60 }, (command) => command.end(3))
    const run = triggerWebhook(fixture.webhooks, 'job', null, { wait: true })
    await settled()
    await closeWebhooks(fixture.webhooks)
    expect(await run).toMatchObject({ status: 'failed', exit_code: 3, attempts: 1 })
  })
})
