import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Storage } from '../../storage/storage.ts'
import { createManualClock, type ManualClock } from '../../testing/index.ts'
import type { Delivered } from '../board/run-handle.ts'
import { cancelRun } from '../cancel-run.ts'
import { keyCollection } from '../records/dedupe.ts'
import { outputCollection, runCollection } from '../records/run-record.ts'
import { startRecords } from '../runs/start-records.ts'
import {
  createFixture,
  endAtOnce,
  type Fixture,
  settled,
  webhookNamed,
} from '../service.fixture.ts'
import { deliverWebhook } from './deliver-webhook.ts'
import { deliveryOfCall } from './delivery-of-call.ts'

const config = {
  webhooks: [
    webhookNamed('job', {
      queue: 1_000,
      dedupe: { key: 'header:webhook-id', ttl: '1h' },
      rules: { not: { source: 'data.skip', exists: true } },
      command_arguments: [{ source: 'data.v', default: 'x' }],
    }),
  ],
}

type DeliveredRun = Extract<Delivered, { kind: 'run' }>

/** Delivers with this key. */
async function deliver(
  { webhooks }: Fixture,
  key: string,
  data: object = {},
): Promise<DeliveredRun> {
  const delivery = deliveryOfCall(
    { id: 'job', data, headers: { 'webhook-id': key } },
    { trust: 'program', mayLackToken: () => true, ids: webhooks.ids },
  )
  const delivered = await deliverWebhook(webhooks, delivery)
  if (delivered.kind !== 'run') throw new Error(delivered.kind)
  return delivered
}

/** Two processes that share a database. */
function createPair(): { clock: ManualClock; storage: Storage; pair: readonly [Fixture, Fixture] } {
  const clock = createManualClock()
  const storage = createSqliteStorage({ filename: ':memory:', clock })
  onTestFinished(() => storage.close())
  const one = createFixture({ clock, storage, config })
  return { clock, storage, pair: [one, createFixture({ clock, storage, config })] }
}

/** Advances the clock in steps, so that processes can poll records. */
async function pass(clock: ManualClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 250) {
    clock.advance(250)
    await settled()
  }
}

describe('a key', () => {
  it('makes one run of 200 concurrent deliveries', async () => {
    const fixture = createFixture({ config })
    const all = await Promise.all(Array.from({ length: 200 }, () => deliver(fixture, 'k')))
    expect(new Set(all.map(({ run }) => run.run_id)).size).toBe(1)
    expect(all.filter(({ isDuplicate }) => !isDuplicate)).toHaveLength(1)
    fixture.runner.commands[0]?.end()
    const ends = await Promise.all(all.map(({ run }) => run.ended))
    expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['succeeded']))
    expect(fixture.runner.commands).toHaveLength(1)
  })

  it('belongs to its run while it waits, runs and after it has succeeded, until it expires', async () => {
    const fixture = createFixture({ config })
    const { clock, runner } = fixture
    await deliver(fixture, 'before')
    const first = await deliver(fixture, 'k')
    expect(first.run.snapshot().status).toBe('queued')
    const runId = first.run.run_id
    expect(await deliver(fixture, 'k')).toMatchObject({ isDuplicate: true, run: { run_id: runId } })
    for (const command of [0, 1]) {
      runner.commands[command]?.end()
      await settled()
    }
    const after = await deliver(fixture, 'k')
    expect(after).toMatchObject({ isDuplicate: true, run: { run_id: runId } })
    expect(await after.run.ended).toEqual(await first.run.ended)
    clock.advance(3_600_000)
    expect((await deliver(fixture, 'k')).isDuplicate).toBe(false)
  })

  it('is free again after a run that failed', async () => {
    for (const [exitCode, signal] of [
      [1, undefined],
      [143, 'SIGTERM'],
    ] as const) {
      const fixture = createFixture({ config })
      const { run } = await deliver(fixture, 'k')
      fixture.runner.commands[0]?.end(exitCode, signal)
      await run.ended
      const next = await deliver(fixture, 'k')
      expect(next.isDuplicate).toBe(false)
      expect((await deliver(fixture, 'k')).run.run_id).toBe(next.run.run_id)
    }
  })

  it('is free again after a run that was canceled while it waited', async () => {
    const fixture = createFixture({ config })
    await deliver(fixture, 'before')
    const { run } = await deliver(fixture, 'k')
    await cancelRun(fixture.webhooks, run.run_id)
    await run.ended
    expect((await deliver(fixture, 'k')).isDuplicate).toBe(false)
  })

  it('is not taken by a skipped or refused delivery', async () => {
    const fixture = createFixture({ config, script: endAtOnce })
    await expect(deliver(fixture, 'k', { skip: 1 })).rejects.toThrow('skipped')
    await expect(deliver(fixture, 'k', { v: '-dash' })).rejects.toMatchObject({
      reason: 'argument_rejected',
    })
    expect((await deliver(fixture, 'k')).isDuplicate).toBe(false)
    expect((await deliver(fixture, 'k', { v: '-dash' })).isDuplicate).toBe(true)
  })

  it('is ignored if the header is missing or empty', async () => {
    const fixture = createFixture({ config })
    const [one, two] = [await deliver(fixture, ''), await deliver(fixture, '')]
    expect(one.run.run_id).not.toBe(two.run.run_id)
    expect(await fixture.storage.find(keyCollection, { by: 'id', limit: 10 })).toEqual([])
  })

  it('may have any length and content', async () => {
    const fixture = createFixture({ config })
    const key = `${'k'.repeat(100_000)}\0\ud800`
    const { run } = await deliver(fixture, key)
    expect((await deliver(fixture, key)).run.run_id).toBe(run.run_id)
  })

  it('returns the run it made even after its record has expired', async () => {
    const fixture = createFixture({ config, script: endAtOnce })
    const first = await (await deliver(fixture, 'k')).run.ended
    await fixture.storage.commit([
      runCollection.remove(first.id),
      outputCollection.remove(first.id),
    ])
    const again = await deliver(fixture, 'k')
    expect(again.isDuplicate).toBe(true)
    expect(await again.run.ended).toEqual(first)
  })

  it('returns the bytes of the output, not a text of them', async () => {
    const bytes = Uint8Array.of(0xff, 0x00, 0x61, 0xc3)
    const fixture = createFixture({ config })
    const first = await deliver(fixture, 'k')
    await fixture.runner.commands[0]?.write('stdout', bytes)
    fixture.runner.commands[0]?.end()
    await first.run.ended
    await settled()
    expect(fixture.webhooks.work.board.find(first.run.run_id)).toBeUndefined()
    const again = await deliver(fixture, 'k')
    expect(again.isDuplicate).toBe(true)
    expect(await again.run.ended).toMatchObject({ stdout: '\ufffd\0a\ufffd', stdout_bytes: 4 })
    expect(again.run.outputs().stdout.total).toBe(4)
    expect([...again.run.outputs().stdout.bytes]).toEqual([...bytes])
  })

  it('knows that the record has less of the output than the command wrote', async () => {
    const fixture = createFixture({ config: { ...config, history: { output_bytes: 2 } } })
    const first = await deliver(fixture, 'k')
    await fixture.runner.commands[0]?.write('stdout', Uint8Array.of(0xff, 0xfe, 0xfd))
    fixture.runner.commands[0]?.end()
    await first.run.ended
    await settled()
    const again = await deliver(fixture, 'k')
    await again.run.ended
    const { bytes, total } = again.run.outputs().stdout
    expect({ bytes: [...bytes], total }).toEqual({ bytes: [0xff, 0xfe], total: 3 })
  })
})

describe('a key shared by processes', () => {
  it('makes one run of concurrent deliveries to both', async () => {
    const { clock, pair } = createPair()
    const all = await Promise.all(
      Array.from({ length: 100 }, (_, index) => deliver(pair[index % 2 === 0 ? 0 : 1], 'k')),
    )
    expect(new Set(all.map(({ run }) => run.run_id)).size).toBe(1)
    const owners = pair.filter(({ runner }) => runner.commands.length === 1)
    expect(owners).toHaveLength(1)
    const ends = Promise.all(all.map(({ run }) => run.ended))
    await owners[0]?.runner.commands[0]?.write('stdout', 'done')
    owners[0]?.runner.commands[0]?.end()
    await pass(clock, 500)
    for (const end of await ends) expect(end).toMatchObject({ status: 'succeeded', stdout: 'done' })
  })

  it('lets a caller wait for a run of another process, and read its output when it has ended', async () => {
    const { clock, pair } = createPair()
    const [one, two] = pair
    await deliver(one, 'before')
    const { run: own } = await deliver(one, 'k')
    const { run } = await deliver(two, 'k')
    expect(run.snapshot()).toEqual(own.snapshot())
    const seen: string[] = []
    const { done } = run.follow((stream, chunk) => {
      seen.push(`${stream} ${new TextDecoder().decode(chunk)}`)
    })
    one.runner.commands[0]?.end()
    await pass(clock, 1_000)
    expect(await run.started).toMatchObject({ status: 'running' })
    run.cancel('disconnect') // its other callers belong to the other process
    await one.runner.commands[1]?.write('stderr', 'oops')
    one.runner.commands[1]?.end()
    await pass(clock, 500)
    expect(await run.ended).toEqual(await own.ended)
    await done
    expect(seen).toEqual(['stderr oops'])
  })

  it('is free again when the process of its run is gone', async () => {
    const { clock, storage, pair } = createPair()
    // Its clock stands still, so it sends no more heartbeats.
    const gone = createFixture({ storage, config })
    const [alive] = pair
    const { run } = await deliver(gone, 'k')
    const waiting = await deliver(alive, 'k')
    expect(waiting).toMatchObject({ isDuplicate: true, run: { run_id: run.run_id } })
    await pass(clock, 29_750)
    expect(waiting.run.snapshot().status).toBe('running')
    await pass(clock, 500)
    expect(await waiting.run.ended).toMatchObject({ status: 'lost', finished_at: null })
    const next = await deliver(alive, 'k')
    expect(next.isDuplicate).toBe(false)
    expect((await deliver(alive, 'k')).run.run_id).toBe(next.run.run_id)
  })
  it('is deleted with the run when that is recorded as lost', async () => {
    const { clock, storage, pair } = createPair()
    const gone = createFixture({ storage, config })
    await deliver(gone, 'k')
    expect(await storage.find(keyCollection, { by: 'id', limit: 9 })).toHaveLength(1)
    const work = startRecords(pair[0].webhooks)
    onTestFinished(() => work.stop())
    await settled()
    await pass(clock, 30_000)
    expect(await storage.find(keyCollection, { by: 'id', limit: 9 })).toEqual([])
  })
})
