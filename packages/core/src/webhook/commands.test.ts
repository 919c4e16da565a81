import { existsSync, readFileSync } from 'node:fs'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it, onTestFinished } from 'vitest'
import { closeWebhooks } from './close-webhooks.ts'
import type { WebhooksContext } from './context.ts'
import { createWebhooks } from './create-webhooks.ts'
import { findRunHandle } from './find-run.ts'
import type { Run } from './run.ts'
import { webhookNamed } from './service.fixture.ts'
import { triggerWebhook } from './trigger-webhook.ts'

const environment = { PATH: '/usr/local/bin:/usr/bin:/bin' }

/** The service with one webhook whose commands are processes. */
function createService(settings: object, executor = 'direct'): WebhooksContext {
  const hooks = createWebhooks({
    storage: createMemoryStorage(),
    environment,
    config: { webhooks: [webhookNamed('job', { include_output: true, executor, ...settings })] },
  })
  onTestFinished(() => closeWebhooks(hooks, { graceMs: 0, killGraceMs: 0 }))
  return hooks
}

async function run(hooks: WebhooksContext, data: object = {}, wait = true): Promise<Run> {
  const made = await triggerWebhook(hooks, 'job', data, { wait })
  if (!('run_id' in made)) throw new Error('the rules were not satisfied')
  return made
}

/** Whether a process runs; one that has ended may still be in the table where nobody waits for it. */
function isRunning(pid: string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.charAt(stat.lastIndexOf(')') + 2) !== 'Z'
  } catch {
    return false
  }
}

describe.each(['direct', 'launcher'])('a process of the executor "%s"', (executor) => {
  it('ends as the run says', async () => {
    const ends: Partial<Run>[] = [
      { status: 'succeeded', reason: null, exit_code: 0, signal: null },
      { status: 'failed', reason: 'exit_code', exit_code: 7, signal: null },
      { status: 'failed', reason: 'signal', exit_code: 137, signal: 'SIGKILL' },
    ]
    for (const [index, command] of ['exit 0', 'exit 7', 'kill -9 $$'].entries()) {
      const hooks = createService({ execute_command: command }, executor)
      expect(await run(hooks)).toMatchObject(ends[index] ?? {})
    }
  })

  it('is given values of the request as arguments, and nothing of them is read by a shell', async () => {
    const hooks = createService(
      {
        execute_command: 'printf "<%s>"',
        command_arguments: [{ source: 'data.a' }, { source: 'data.b' }],
      },
      executor,
    )
    const ended = await run(hooks, { a: '$(id); `id` \'"', b: 'ü 😀' })
    expect(ended).toMatchObject({ status: 'succeeded', stdout: '<$(id); `id` \'"><ü 😀>' })
  })

  it('is ended with its children when its time is over, though it does not want to', async () => {
    const hooks = createService(
      {
        execute_command: "trap '' TERM; sleep 30 & echo $$ $!; wait; sleep 30",
        timeout: '200ms',
        kill_grace: '100ms',
      },
      executor,
    )
    const ended = await run(hooks)
    expect(ended).toMatchObject({ status: 'timed_out', exit_code: 137, signal: 'SIGKILL' })
    expect(ended.duration_ms).toBeGreaterThanOrEqual(290)
    const pids = ended.stdout.trim().split(' ')
    expect(pids).toHaveLength(2)
    expect(pids.filter(isRunning)).toEqual([])
  })

  it('is ended when it writes more than it may', async () => {
    const hooks = createService(
      { execute_command: 'yes', output_bytes: 1_000, on_output_limit: 'kill' },
      executor,
    )
    const ended = await run(hooks)
    expect(ended).toMatchObject({ status: 'failed', reason: 'output_limit' })
    expect(ended.stdout).toHaveLength(1_000)
    expect(ended.stdout_bytes).toBeGreaterThan(1_000)
  })

  it('is gone when the service is closed', async () => {
    const hooks = createService(
      { execute_command: "trap 'exit 3' TERM; echo $$; while :; do sleep 0.05; done" },
      executor,
    )
    const { run_id } = await run(hooks, {}, false)
    const handle = findRunHandle(hooks, run_id)
    const seen: string[] = []
    await new Promise<void>((resolve) => {
      handle?.follow((_, chunk) => {
        seen.push(new TextDecoder().decode(chunk))
        resolve()
      })
    })
    const ended = handle?.ended
    await closeWebhooks(hooks, { graceMs: 0 })
    expect(await ended).toMatchObject({ status: 'canceled', reason: 'shutdown', exit_code: 3 })
    expect(isRunning(seen.join('').trim())).toBe(false)
  })

  it('finds values in files of its own, which are gone afterwards', async () => {
    const hooks = createService(
      {
        execute_command: 'echo "$CERT"; stat -c %a "$CERT"; cat "$CERT" "$KEY"',
        files: [
          { env: 'CERT', source: 'data.cert' },
          { env: 'KEY', source: 'data.key', base64: true },
        ],
      },
      executor,
    )
    const { stdout, status } = await run(hooks, { cert: 'the cert\n', key: 'dGhlIGtleQ==' })
    const [path = '', ...lines] = stdout.split('\n')
    expect([status, ...lines]).toEqual(['succeeded', '600', 'the cert', 'the key'])
    expect(path).toMatch(/^\/.+\/gatehouse-[^/]+\/0$/)
    expect(existsSync(path)).toBe(false)
  })

  it('may leave a process behind without being waited for', async () => {
    const hooks = createService(
      { execute_command: 'echo started; sleep 20 & echo $!', leftovers: 'kill' },
      executor,
    )
    const ended = await run(hooks)
    expect(ended.duration_ms).toBeLessThan(5_000)
    const [started, pid = ''] = ended.stdout.split('\n')
    expect(started).toBe('started')
    await expect.poll(() => isRunning(pid)).toBe(false)
  })
})

describe('a process', () => {
  it('reads what the webhook says', async () => {
    const data = createService({ execute_command: 'cat', stdin: 'data' })
    expect(await run(data, { a: [1, 'ü'] })).toMatchObject({ stdout: '{"a":[1,"ü"]}' })
    const none = createService({ execute_command: 'cat' })
    expect(await run(none, { a: 1 })).toMatchObject({ status: 'succeeded', stdout: '' })
  })

  it('runs with others of its webhook only as many as there may be', async () => {
    const hooks = createService({ execute_command: 'sleep 0.05', concurrency: 2 })
    const runs = await Promise.all([1, 2, 3, 4].map(() => run(hooks)))
    const at = (instant: number): number =>
      runs.filter(({ started_at, finished_at }) => {
        return (started_at ?? 0) <= instant && instant < (finished_at ?? 0)
      }).length
    for (const { started_at } of runs) expect(at(started_at ?? 0)).toBeLessThanOrEqual(2)
    expect(runs.filter(({ queued_ms }) => queued_ms >= 40)).toHaveLength(2)
  })
})
