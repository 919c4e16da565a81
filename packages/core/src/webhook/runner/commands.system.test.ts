import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createManualClock } from '../../testing/index.ts'
import { type Clock, systemClock } from '../../time/clock.ts'
import type { RunHandle } from '../board/run-handle.ts'
import { closeWebhooks } from '../close-webhooks.ts'
import type { WebhooksContext } from '../context.ts'
import { createWebhooks } from '../create-webhooks.ts'
import type { Run } from '../run.ts'
import { findRunHandle } from '../runs/find-run.ts'
import { webhookNamed } from '../service.fixture.ts'
import { triggerWebhook } from '../trigger-webhook.ts'

const environment = { PATH: '/usr/local/bin:/usr/bin:/bin' }

/** The service with one webhook whose commands are processes. */
function createService(
  settings: object,
  executor = 'direct',
  clock: Clock = systemClock,
): WebhooksContext {
  const webhooks = createWebhooks({
    storage: createMemoryStorage({ clock }),
    clock,
    environment,
    config: { webhooks: [webhookNamed('job', { include_output: true, executor, ...settings })] },
  })
  onTestFinished(() => closeWebhooks(webhooks, { graceMs: 0, killGraceMs: 0 }))
  return webhooks
}

async function run(webhooks: WebhooksContext, data: object = {}, wait = true): Promise<Run> {
  const made = await triggerWebhook(webhooks, 'job', data, { wait })
  if (!('id' in made)) throw new Error('the rules were not satisfied')
  return made
}

/** The first output of a run, without its newline. */
function firstOutput(handle: RunHandle | undefined): Promise<string> {
  return new Promise((resolve) => {
    handle?.follow((_, chunk) => {
      if (chunk.length > 0) resolve(new TextDecoder().decode(chunk).trim())
    })
  })
}

/** Whether a process runs; an ended one may still be in the table if nobody reaps it. */
function isRunning(pid: string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.charAt(stat.lastIndexOf(')') + 2) !== 'Z'
  } catch {
    return false
  }
}

describe.each(['direct', 'launcher'])('a process of the executor "%s"', (executor) => {
  it('ends as its run says', async () => {
    const ends: Partial<Run>[] = [
      { status: 'succeeded', reason: null, exit_code: 0, signal: null },
      { status: 'failed', reason: 'exit_code', exit_code: 7, signal: null },
      { status: 'failed', reason: 'signal', exit_code: 137, signal: 'SIGKILL' },
    ]
    for (const [index, command] of ['exit 0', 'exit 7', 'kill -9 $$'].entries()) {
      const webhooks = createService({ execute_command: command }, executor)
      expect(await run(webhooks)).toMatchObject(ends[index] ?? {})
    }
  })

  it('gets values of the request as arguments, and no shell reads them', async () => {
    const webhooks = createService(
      {
        execute_command: 'printf "<%s>"',
        command_arguments: [{ source: 'data.a' }, { source: 'data.b' }],
      },
      executor,
    )
    const ended = await run(webhooks, { a: '$(id); `id` \'"', b: 'ü 😀' })
    expect(ended).toMatchObject({ status: 'succeeded', stdout: '<$(id); `id` \'"><ü 😀>' })
  })

  it('has both outputs in one, if the webhook wants it', async () => {
    const settings = { execute_command: 'echo a; echo b >&2; echo c; exit 3', stderr: 'stdout' }
    const ended = await run(createService(settings, executor))
    expect(ended).toMatchObject({ exit_code: 3, stdout: 'a\nb\nc\n', stderr: '' })
  })

  it('is ended with its children at its timeout, even if it resists', async () => {
    const clock = createManualClock()
    const webhooks = createService(
      {
        execute_command: "trap '' TERM; sleep 30 & echo $$ $!; wait; sleep 30",
        timeout: '200ms',
        kill_grace: '100ms',
      },
      executor,
      clock,
    )
    const { id: run_id } = await run(webhooks, {}, false)
    const handle = findRunHandle(webhooks, run_id)
    await firstOutput(handle)
    clock.advance(200)
    clock.advance(100)
    const ended = (await handle?.ended) as Run
    expect(ended).toMatchObject({ status: 'timed_out', exit_code: 137, signal: 'SIGKILL' })
    expect(ended.duration_ms).toBe(300)
    const pids = ended.stdout.trim().split(' ')
    expect(pids).toHaveLength(2)
    expect(pids.filter(isRunning)).toEqual([])
  })

  it('is ended when it exceeds the output limit', async () => {
    const webhooks = createService(
      { execute_command: 'yes', output_bytes: 1_000, on_output_limit: 'kill' },
      executor,
    )
    const ended = await run(webhooks)
    expect(ended).toMatchObject({ status: 'failed', reason: 'output_limit' })
    expect(ended.stdout).toHaveLength(1_000)
    expect(ended.stdout_bytes).toBeGreaterThan(1_000)
  })

  it('is gone when the service is closed', async () => {
    const webhooks = createService(
      { execute_command: "trap 'exit 3' TERM; echo $$; while :; do sleep 0.05; done" },
      executor,
    )
    const { id: run_id } = await run(webhooks, {}, false)
    const handle = findRunHandle(webhooks, run_id)
    const pid = await firstOutput(handle)
    const ended = handle?.ended
    await closeWebhooks(webhooks, { graceMs: 0 })
    expect(await ended).toMatchObject({ status: 'canceled', reason: 'shutdown', exit_code: 3 })
    expect(isRunning(pid)).toBe(false)
  })

  it('finds values in its own files, which are removed afterwards', async () => {
    const webhooks = createService(
      {
        execute_command: 'echo "$CERT"; stat -c %a "$CERT"; cat "$CERT" "$KEY"',
        files: [
          { env: 'CERT', source: 'data.cert' },
          { env: 'KEY', source: 'data.key', base64: true },
        ],
      },
      executor,
    )
    const { stdout, status } = await run(webhooks, { cert: 'the cert\n', key: 'dGhlIGtleQ==' })
    const [path = '', ...lines] = stdout.split('\n')
    expect([status, ...lines]).toEqual(['succeeded', '600', 'the cert', 'the key'])
    expect(path).toMatch(/^\/.+\/gatehouse-[^/]+\/0$/)
    expect(existsSync(path)).toBe(false)
  })

  it('may leave a process behind, which is not waited for', async () => {
    const webhooks = createService(
      { execute_command: 'echo started; sleep 1000 & echo $!', leftovers: 'kill' },
      executor,
    )
    const ended = await run(webhooks)
    const [started, pid = ''] = ended.stdout.split('\n')
    expect(started).toBe('started')
    await expect.poll(() => isRunning(pid)).toBe(false)
  })
})

describe('a process', () => {
  it('reads the configured standard input', async () => {
    const data = createService({ execute_command: 'cat', stdin: 'data' })
    expect(await run(data, { a: [1, 'ü'] })).toMatchObject({ stdout: '{"a":[1,"ü"]}' })
    const none = createService({ execute_command: 'cat' })
    expect(await run(none, { a: 1 })).toMatchObject({ status: 'succeeded', stdout: '' })
  })

  it('runs no more often at once than its webhook allows', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const [go, log] = [join(folder, 'go'), join(folder, 'log')]
    const webhooks = createService({
      execute_command: `echo begin >>${log}; until [ -e ${go} ]; do sleep 0.01; done; echo end >>${log}`,
      concurrency: 2,
    })
    const lines = (): readonly string[] =>
      existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
    const queued: string[] = []
    webhooks.events.on('run.queued', ({ id: run_id }) => queued.push(run_id))
    const runs = Promise.all([1, 2, 3, 4].map(() => run(webhooks)))
    await expect.poll(() => [queued.length, ...lines()]).toEqual([2, 'begin', 'begin'])
    writeFileSync(go, '')
    await runs
    let running = 0
    for (const line of lines()) {
      running += line === 'begin' ? 1 : -1
      expect(running).toBeLessThanOrEqual(2)
    }
    expect(lines()).toHaveLength(8)
  })
})
