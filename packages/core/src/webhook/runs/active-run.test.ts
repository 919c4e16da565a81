import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it, onTestFinished } from 'vitest'
import { storageUnavailable } from '../../storage/storage.ts'
import { createManualClock } from '../../testing/index.ts'
import type { RunHandle } from '../board/run-handle.ts'
import { createFixture, settled, until, webhookNamed } from '../service.fixture.ts'
import { triggerWebhook } from '../trigger-webhook.ts'
import { findRunHandle } from './find-run.ts'

/** A run whose records are written when the test says so. */
async function createRun(history: Record<string, unknown> = {}) {
  const clock = createManualClock()
  const memory = createMemoryStorage({ clock })
  const held: (() => void)[] = []
  let isHolding = false
  const fixture = createFixture({
    clock,
    config: { webhooks: [webhookNamed('job')], history },
    storage: {
      ...memory,
      async commit(writes) {
        if (isHolding) await new Promise<void>((resolve) => held.push(resolve))
        return memory.commit(writes)
      },
    },
  })
  const run = await triggerWebhook(fixture.webhooks, 'job', {}, { wait: false })
  const handle = 'id' in run ? findRunHandle(fixture.webhooks, run.id) : undefined
  if (handle === undefined) throw new Error('there is no run')
  const letGo = async (): Promise<void> => {
    isHolding = false
    for (const go of held.splice(0)) go()
    await settled()
  }
  onTestFinished(letGo)
  return {
    ...fixture,
    handle,
    letGo,
    hold() {
      isHolding = true
    },
  }
}

/** What a new reader gets. */
async function readNow(handle: RunHandle): Promise<string> {
  let text = ''
  const { stop, done } = handle.follow((stream, chunk) => {
    text += `${stream}:${Buffer.from(chunk)} `
  })
  await settled()
  stop()
  await done
  return text
}

describe('a run, seen through its handle', () => {
  it('shows its output while it runs, while its end is recorded, and afterwards', async () => {
    const { handle, runner, hold, letGo } = await createRun()
    const seen = async () => {
      const { status, stdout, stdout_bytes } = handle.snapshot()
      return [status, stdout, stdout_bytes, await readNow(handle)]
    }
    expect(await seen()).toEqual(['running', '', 0, ''])
    const command = await runner.started(1)
    await command.write('stdout', 'one ')
    await command.write('stderr', 'two')
    expect(await seen()).toEqual(['running', 'one ', 4, 'stdout:one  stderr:two '])
    hold()
    await command.write('stdout', 'three')
    command.end()
    await settled()
    const all = 'stdout:one three stderr:two '
    expect(await seen()).toEqual(['running', 'one three', 9, all])
    await letGo()
    expect(await seen()).toEqual(['succeeded', 'one three', 9, all])
  })

  it('gives earlier readers the rest, and then the end', async () => {
    const { handle, runner } = await createRun()
    const command = await runner.started(1)
    let text = ''
    const { done } = handle.follow((_, chunk) => {
      text += Buffer.from(chunk)
    })
    await command.write('stdout', 'a')
    await command.write('stdout', 'b')
    command.end()
    await done
    expect(text).toBe('ab')
  })

  it('reports its start and end to callers before and after', async () => {
    const { handle, runner } = await createRun()
    const early = [handle.started, handle.ended]
    const command = await runner.started(1)
    await command.write('stdout', 'x')
    expect(await early[0]).toMatchObject({ status: 'running' })
    expect(await handle.started).toMatchObject({ status: 'running', stdout: 'x' })
    command.end(3)
    const last = { status: 'failed', exit_code: 3, stdout: 'x' }
    expect(await early[1]).toMatchObject(last)
    expect([await handle.started, await handle.ended]).toMatchObject([last, last])
  })

  it.each([
    ['nothing', [], {}],
    ['something', ['out'], {}],
    ['nothing, with its arguments', [], { argv: true }],
    ['more than the history keeps', ['output'], { output_bytes: 3 }],
    ['something, of which the history keeps nothing', ['o'], { output_bytes: 0 }],
    ['only a byte-order mark', ['\ufeff'], { output_bytes: 0 }],
  ])(
    'reports the same end before and after recording it, if it wrote %s',
    async (_, writes, history) => {
      const { webhooks, handle, runner } = await createRun(history)
      const early = handle.ended
      const command = await runner.started(1)
      for (const text of writes) await command.write('stdout', text)
      command.end()
      const last = await early
      expect(last).toMatchObject({ status: 'succeeded', stdout: writes.join('') })
      expect('argv' in last).toBe('argv' in history)
      expect([await handle.started, await handle.ended, handle.snapshot()]).toEqual([
        last,
        last,
        last,
      ])
      expect(findRunHandle(webhooks, last.id)).toBeUndefined()
    },
  )

  it.each([
    ['before', true],
    ['after', false],
  ])(
    'has started and ended, for callers %s, once it was canceled in the queue',
    async (_, isEarly) => {
      const { webhooks } = await createRun()
      const waiting = await triggerWebhook(webhooks, 'job', {}, { wait: false })
      const handle = 'id' in waiting ? findRunHandle(webhooks, waiting.id) : undefined
      const asked = () => Promise.all([handle?.started, handle?.ended])
      const early = isEarly ? asked() : undefined
      handle?.cancel('canceled')
      await settled()
      const last = { status: 'canceled', started_at: null, stdout: '' }
      expect(await (early ?? asked())).toMatchObject([last, last])
      expect(await asked()).toMatchObject([last, last])
      expect(handle && (await readNow(handle))).toBe('')
    },
  )
})

it('lets callers continue if the end of the run could not be recorded', async () => {
  const clock = createManualClock()
  const memory = createMemoryStorage({ clock })
  const commits: ((error: unknown) => void)[] = []
  const { webhooks, runner } = createFixture({
    clock,
    storage: { ...memory, commit: () => new Promise((_, reject) => commits.push(reject)) },
  })
  const refused = expect(triggerWebhook(webhooks, 'job')).rejects.toMatchObject({
    kind: 'ServiceUnavailable',
  })
  await until(() => commits.length > 0)
  const [run] = webhooks.work.board.all()
  const early = run?.ended
  for (const refuse of commits) refuse(storageUnavailable('away'))
  await refused
  expect(await early).toMatchObject({ id: run?.run_id })
  expect(await run?.ended).toMatchObject({ id: run?.run_id })
  expect([webhooks.work.board.size, runner.commands]).toEqual([0, []])
})
