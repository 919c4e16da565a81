import { describe, expect, it } from 'vitest'
import { getRun } from './get-run.ts'
import { runCollection } from './records/run-record.ts'
import { runWebhook } from './run-webhook.ts'
import { createScriptedRunner } from './scripted-runner.fixture.ts'
import { createFixture, endAtOnce, settled, webhookNamed } from './service.fixture.ts'
import { triggerWebhook } from './trigger-webhook.ts'

const start = Date.UTC(2026, 0, 1)
const circle: { self?: unknown } = {}
circle.self = circle
const call = { id: 'job', token: 't' }

/** A runner that searches for programs, and finds none. */
const createRunnerWithoutPrograms = () => ({
  ...createScriptedRunner(),
  find: async () => ({ problem: 'the program was not found' }),
})

describe('runWebhook', () => {
  it('resolves with the finished run, as it was recorded', async () => {
    const { webhooks, clock, runner } = createFixture({
      config: { webhooks: [webhookNamed('job', { include_output: true })] },
    })
    const running = runWebhook(webhooks, { ...call, data: { a: 1 } })
    const command = await runner.started(1)
    await settled()
    clock.advance(40)
    await command.write('stdout', 'out\n')
    await command.write('stderr', 'err\n')
    command.end()
    const run = await running
    expect(run).toEqual({
      id: expect.stringMatching(/^run_[0-9a-z]{26}$/),
      webhook_id: 'job',
      status: 'succeeded',
      reason: null,
      exit_code: 0,
      signal: null,
      attempts: 1,
      created_at: start,
      started_at: start,
      finished_at: start + 40,
      queued_ms: 0,
      duration_ms: 40,
      client_ip: null,
      request_id: expect.any(String),
      stdout: 'out\n',
      stderr: 'err\n',
      stdout_bytes: 4,
      stderr_bytes: 4,
      stdout_truncated: false,
      stderr_truncated: false,
    })
    expect(await getRun(webhooks, 'id' in run ? run.id : '')).toEqual(run)
  })

  it('resolves with a run whose command fails', async () => {
    const { webhooks } = createFixture({ script: (command) => command.end(3) })
    expect(await runWebhook(webhooks, call)).toMatchObject({
      status: 'failed',
      reason: 'exit_code',
      exit_code: 3,
    })
    const killed = createFixture({ script: (command) => command.end(137, 'SIGKILL') })
    expect(await runWebhook(killed.webhooks, call)).toMatchObject({
      status: 'failed',
      reason: 'signal',
      exit_code: 137,
      signal: 'SIGKILL',
    })
  })

  it('makes a failed run if the program does not exist, and does not count it as started', async () => {
    const runner = createRunnerWithoutPrograms()
    const { webhooks, lines } = createFixture({
      config: { webhooks: [webhookNamed('job', { execute_command: './no-such-program' })] },
      runner,
    })
    const run = await runWebhook(webhooks, call)
    expect(run).toMatchObject({
      status: 'failed',
      reason: 'not_started',
      exit_code: null,
      attempts: 0,
      started_at: null,
      finished_at: start,
      duration_ms: null,
    })
    expect(await getRun(webhooks, 'id' in run ? run.id : '')).toEqual(run)
    expect(runner.commands).toEqual([])
    expect(lines).toContainEqual({
      level: 'warn',
      message: 'the command cannot be started',
      fields: expect.objectContaining({ problem: 'the program was not found' }),
    })
  })

  it('reports a missing program also without waiting', async () => {
    const { webhooks } = createFixture({
      config: {
        webhooks: [webhookNamed('job', { execute_command: './no-such-program', mode: 'async' })],
      },
      runner: createRunnerWithoutPrograms(),
    })
    expect(await runWebhook(webhooks, call)).toMatchObject({
      status: 'failed',
      reason: 'not_started',
    })
  })

  it('gives the command what the webhook configures', async () => {
    const { webhooks, runner } = createFixture({
      environment: { PATH: '/bin:/usr/bin', SECRET: 's', PASSED: 'p' },
      config: {
        webhooks: [
          webhookNamed('job', {
            execute_command: 'printf %s',
            workdir: '/usr',
            command_arguments: [{ name: '--image', source: 'data.image' }],
            env: { STAGE: 'prod' },
            pass_env: ['PASSED'],
            stdin: 'data',
            output_bytes: 5,
            output_keep: 'tail',
            leftovers: 'kill',
          }),
        ],
      },
    })
    const data = { image: 'app; rm -rf /', n: 12345678901234567890n.toString() }
    void runWebhook(webhooks, { ...call, data })
    const { command } = await runner.started(1)
    expect(command).toEqual({
      program: 'printf',
      args: ['%s', '--image', 'app; rm -rf /'],
      workdir: '/usr',
      env: expect.objectContaining({ STAGE: 'prod', PASSED: 'p', GATEHOUSE_WEBHOOK_ID: 'job' }),
      stdin: new TextEncoder().encode('{"image":"app; rm -rf /","n":"12345678901234567890"}'),
      outputBytes: 5,
      outputKeep: 'tail',
      killLeftovers: true,
      live: false,
    })
    expect(command.env).not.toHaveProperty('SECRET')
  })

  it('reads headers of the call regardless of case', async () => {
    const { webhooks, runner } = createFixture({
      config: {
        webhooks: [
          webhookNamed('job', { command_arguments: [{ name: '', source: 'header:X-Ref' }] }),
        ],
      },
      script: endAtOnce,
    })
    await runWebhook(webhooks, { ...call, headers: { 'x-REF': 'main' } })
    expect(runner.commands[0]?.command.args).toEqual(['main'])
  })

  it.each([
    [{ id: 'nobody', token: 't' }, 'unknown_webhook'],
    [{ id: 'job', token: 'wrong' }, 'invalid_token'],
    [{ id: 'off', token: 't' }, 'unknown_webhook'],
    [{ id: 'job' }, 'invalid_request'],
    [{ id: '', token: 't' }, 'invalid_request'],
    [{ id: 'job', token: '' }, 'invalid_request'],
    [{ id: 'job', token: 't', data: [] }, 'invalid_request'],
    [{ id: 'needs', token: 't' }, 'argument_missing'],
    [{ id: 'needs', token: 't', data: { v: '-x' } }, 'argument_rejected'],
  ])('rejects %j with %s, and makes no run', async (given, reason) => {
    const { webhooks, runner, storage } = createFixture({
      config: {
        webhooks: [
          webhookNamed('job'),
          webhookNamed('off', { enabled: false }),
          webhookNamed('needs', { command_arguments: [{ source: 'data.v' }] }),
        ],
      },
    })
    await expect(runWebhook(webhooks, given)).rejects.toMatchObject({ reason })
    expect(runner.commands).toEqual([])
    expect(await storage.find(runCollection, { by: 'id', limit: 10 })).toEqual([])
  })

  it('reports all invalid fields of a call', async () => {
    const { webhooks } = createFixture()
    const wrong = { id: 7, token: 1, data: 'text' } as unknown as typeof call
    await expect(runWebhook(webhooks, wrong)).rejects.toMatchObject({
      info: { fields: [{ path: 'id' }, { path: 'token' }, { path: 'data' }] },
    })
  })

  it.each([
    ['a whole number of any size', { big: 1n }],
    ['a date', new Date(0)],
    ['a circle', { toJSON: () => circle }],
  ])('rejects %s as data, because it is not a JSON object', async (_, data) => {
    const { webhooks } = createFixture()
    await expect(runWebhook(webhooks, { ...call, data })).rejects.toMatchObject({
      reason: 'invalid_request',
      info: { fields: [{ path: 'data' }] },
    })
  })

  it('hides whether an id exists, if configured', async () => {
    const { webhooks } = createFixture({ config: { hide_ids: true, webhooks: [] } })
    await expect(runWebhook(webhooks, call)).rejects.toMatchObject({ reason: 'invalid_token' })
    await expect(triggerWebhook(webhooks, 'job')).rejects.toMatchObject({
      reason: 'unknown_webhook',
    })
  })
})

describe('the wait', () => {
  const config = {
    webhooks: [
      webhookNamed('job'),
      webhookNamed('async', { mode: 'async' }),
      webhookNamed('patient', { sync_wait: '150ms' }),
    ],
  }

  it('ends when the command has started, for an asynchronous webhook', async () => {
    const { webhooks, runner } = createFixture({ config })
    const run = await runWebhook(webhooks, { id: 'async', token: 't' })
    expect(run).toMatchObject({ status: 'running', started_at: start })
    expect(runner.commands).toHaveLength(1)
    const waiting = await runWebhook(webhooks, { id: 'async', token: 't' })
    expect(waiting).toMatchObject({ status: 'queued', started_at: null })
  })

  it('is limited by the webhook', async () => {
    const { webhooks, clock, runner } = createFixture({ config })
    const running = runWebhook(webhooks, { id: 'patient', token: 't' })
    await runner.started(1)
    await settled()
    clock.advance(150)
    expect(await running).toMatchObject({ status: 'running' })
  })

  it('follows the options of the call first', async () => {
    const { webhooks, clock, runner } = createFixture({ config })
    expect(await runWebhook(webhooks, call, { wait: false })).toMatchObject({ status: 'running' })
    const timed = triggerWebhook(webhooks, 'patient', {}, { wait: 10 })
    await runner.started(2)
    await settled()
    clock.advance(10)
    expect(await timed).toMatchObject({ status: 'running' })
    const whole = runWebhook(webhooks, { id: 'async', token: 't' }, { wait: true })
    const command = await runner.started(3)
    command.end()
    expect(await whole).toMatchObject({ status: 'succeeded' })
  })
})

describe('a signal', () => {
  it('cancels the run', async () => {
    const { webhooks, runner } = createFixture()
    const controller = new AbortController()
    const running = runWebhook(webhooks, call, { signal: controller.signal })
    const command = await runner.started(1)
    await settled()
    controller.abort()
    expect(await running).toMatchObject({ status: 'canceled', reason: 'canceled', exit_code: 143 })
    expect(command.signals).toEqual(['SIGTERM'])
  })

  it('that is already aborted makes no run', async () => {
    const { webhooks, runner } = createFixture()
    const signal = AbortSignal.abort(new Error('too late'))
    await expect(runWebhook(webhooks, call, { signal })).rejects.toThrow('too late')
    await expect(triggerWebhook(webhooks, 'job', {}, { signal })).rejects.toThrow('too late')
    expect(runner.commands).toEqual([])
  })
})

describe('triggerWebhook', () => {
  it('needs no token and no allowed address', async () => {
    const { webhooks } = createFixture({
      config: { webhooks: [webhookNamed('job', { allow_ips: ['192.0.2.1'] })] },
      script: endAtOnce,
    })
    await expect(runWebhook(webhooks, call)).rejects.toMatchObject({
      reason: 'address_not_allowed',
    })
    expect(await triggerWebhook(webhooks, 'job', { a: 1 })).toMatchObject({ status: 'succeeded' })
    expect(await triggerWebhook(webhooks, 'job')).toMatchObject({ status: 'succeeded' })
  })

  it('skips a delivery that does not satisfy the rules', async () => {
    const { webhooks, runner } = createFixture({
      config: {
        webhooks: [webhookNamed('job', { rules: { source: 'data.ref', equals: 'main' } })],
      },
      script: endAtOnce,
    })
    const skipped = { status: 'skipped', webhook_id: 'job' }
    expect(await triggerWebhook(webhooks, 'job', { ref: 'dev' })).toEqual(skipped)
    expect(runner.commands).toEqual([])
    expect(await triggerWebhook(webhooks, 'job', { ref: 'main' })).toMatchObject({
      status: 'succeeded',
    })
  })
})
