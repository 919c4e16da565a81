import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'
import { closeWebhooks } from '../webhook/close-webhooks.ts'
import { createWebhooks } from '../webhook/create-webhooks.ts'
import type { Command } from '../webhook/runner/command.ts'
import { triggerWebhook } from '../webhook/trigger-webhook.ts'
import { createManualClock } from './manual-clock.ts'
import { createScriptedRunner, type ScriptedRunner } from './scripted-runner.ts'

function createService(runner: ScriptedRunner) {
  const clock = createManualClock()
  return {
    clock,
    webhooks: createWebhooks({
      storage: createMemoryStorage({ clock }),
      clock,
      runner,
      workdir: '/srv',
      logger: false,
      config: {
        webhooks: [
          {
            id: 'deploy',
            execute_command: 'deploy.sh',
            token: 'a token for tests',
            command_arguments: [{ source: 'data.branch' }],
            timeout: '5s',
            workdir: '/srv',
          },
        ],
      },
    }),
  }
}

describe('createScriptedRunner', () => {
  it('records commands, which succeed by default, and looks for no program', async () => {
    const runner = createScriptedRunner()
    const { webhooks } = createService(runner)
    const run = await triggerWebhook(webhooks, 'deploy', { branch: 'main' })
    expect(run).toMatchObject({ status: 'succeeded', exit_code: 0, stdout: '' })
    expect(runner.commands).toMatchObject([
      { program: 'deploy.sh', args: ['main'], workdir: '/srv' },
    ])
    await closeWebhooks(webhooks)
  })

  it('answers by the script, and first by the given results', async () => {
    const runner = createScriptedRunner(({ args }) => ({ stdout: `deployed ${args[0]}\n` }))
    const { webhooks } = createService(runner)
    const deploy = () => triggerWebhook(webhooks, 'deploy', { branch: 'main' })
    runner.answerNext(
      { exitCode: 3, stderr: 'no such branch\n' },
      { problem: 'deploy.sh: permission denied' },
    )
    expect(await deploy()).toMatchObject({
      status: 'failed',
      exit_code: 3,
      stderr: 'no such branch\n',
    })
    expect(await deploy()).toMatchObject({
      status: 'failed',
      exit_code: null,
      reason: 'not_started',
    })
    expect(await deploy()).toMatchObject({ status: 'succeeded', stdout: 'deployed main\n' })
    runner.answerNext({ exitCode: 1 })
    runner.clear()
    expect(runner.commands).toEqual([])
    expect(await deploy()).toMatchObject({ status: 'succeeded' })
    await closeWebhooks(webhooks)
  })

  it('lets a command run until its answer comes, or a signal', async () => {
    let answer = (_: { stdout: string }): void => {}
    const runner = createScriptedRunner(
      () =>
        new Promise((resolve) => {
          answer = resolve
        }),
    )
    const { clock, webhooks } = createService(runner)
    const first = triggerWebhook(webhooks, 'deploy', { branch: 'main' })
    await expect.poll(() => runner.commands.length).toBe(1)
    answer({ stdout: 'done' })
    expect(await first).toMatchObject({ status: 'succeeded', stdout: 'done' })
    const second = triggerWebhook(webhooks, 'deploy', { branch: 'main' })
    await expect.poll(() => runner.commands.length).toBe(2)
    await expect.poll(() => clock.pendingTimers).toBeGreaterThan(0)
    clock.advance(5_000)
    expect(await second).toMatchObject({ status: 'timed_out', signal: 'SIGTERM' })
    expect(runner.signals).toMatchObject([{ name: 'SIGTERM' }])
    await closeWebhooks(webhooks)
  })

  it.each([
    ['head', 'abc'],
    ['tail', 'def'],
  ] as const)('keeps the %s of a long output', async (outputKeep, kept) => {
    const seen: string[] = []
    const command: Command = {
      program: 'x',
      args: [],
      workdir: '/',
      env: {},
      stdin: undefined,
      outputBytes: 3,
      outputKeep,
      killLeftovers: true,
      live: false,
    }
    const started = await createScriptedRunner(() => ({ stdout: 'abcdef' })).start(command, {
      onOutput: (stream, chunk) => void seen.push(`${stream} ${new TextDecoder().decode(chunk)}`),
      onOverflow: (stream) => void seen.push(`${stream} is too long`),
    })
    if (!('running' in started)) throw new Error('not started')
    const { stdout } = await started.running.ended
    expect([new TextDecoder().decode(stdout.bytes), stdout.total]).toEqual([kept, 6])
    expect(seen).toEqual(['stdout abcdef', 'stdout is too long'])
  })

  it('refuses results that are none', () => {
    const { answerNext } = createScriptedRunner()
    for (const result of [{ exitCode: 'x' }, { exitCode: 256 }, { signal: 'SIGHUP' }, 7]) {
      expect(() => answerNext(result as never)).toThrow(
        expect.objectContaining({ reason: 'InvalidInput' }),
      )
    }
  })
})
