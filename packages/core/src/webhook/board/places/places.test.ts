import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Storage, storageUnavailable, type Write } from '../../../storage/storage.ts'
import { createManualClock, type ManualClock } from '../../../testing/index.ts'
import { closeWebhooks } from '../../close-webhooks.ts'
import { getRun } from '../../get-run.ts'
import { laneKey, placeCollection, waitCollection } from '../../records/place-records.ts'
import { runCollection } from '../../records/run-record.ts'
import { serverCollection } from '../../records/server-record.ts'
import type { Run } from '../../run.ts'
import { ownProcess, systemMachine } from '../../runner/process/machine.ts'
import { readProcessTable } from '../../runner/process/process-table.ts'
import { loseGoneServers } from '../../runs/mark-lost-runs.ts'
import { startRecords } from '../../runs/start-records.ts'
import type { ScriptedCommand } from '../../scripted-runner.fixture.ts'
import {
  createFixture,
  endAtOnce,
  type Fixture,
  type FixtureOptions,
  settled,
  webhookNamed,
} from '../../service.fixture.ts'
import { triggerWebhook } from '../../trigger-webhook.ts'
import { updateWebhooksConfig } from '../../update-webhooks-config.ts'

/** Services over one storage. A service with a clock of its own is suspended. */
function createWorld(settings: object = {}): {
  readonly clock: ManualClock
  readonly storage: Storage
  readonly start: (options?: FixtureOptions) => Fixture
} {
  const clock = createManualClock()
  const storage = createMemoryStorage({ clock })
  const config = { webhooks: [webhookNamed('job', settings)] }
  return {
    clock,
    storage,
    start: (options) => createFixture({ clock, storage, config, ...options }),
  }
}

async function pass(clock: ManualClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 250) {
    clock.advance(Math.min(250, ms - passed))
    await settled()
  }
}

async function ask({ webhooks }: Fixture): Promise<Run> {
  const run = await triggerWebhook(webhooks, 'job', {}, { wait: false })
  if (run.status === 'skipped') throw new Error('the rules were not satisfied')
  return run
}

const statusOf = async ({ webhooks }: Fixture, { id: run_id }: Run): Promise<string> =>
  (await getRun(webhooks, run_id)).status
const reasonOf = (asked: Promise<Run>): Promise<unknown> =>
  asked.then(
    ({ status }) => status,
    ({ reason }) => reason,
  )
const placesIn = (storage: Storage) => placeCollection.find(storage, { by: 'id', limit: 100 })

describe('the concurrency of a webhook', () => {
  it('holds across all processes, and a waiting run starts when another process is done', async () => {
    const { clock, storage, start } = createWorld()
    const [one, two] = [start(), start()]
    expect((await ask(one)).status).toBe('running')
    const waiting = await ask(two)
    expect(waiting.status).toBe('queued')
    await pass(clock, 5_000)
    expect(two.runner.commands).toHaveLength(0)
    one.runner.commands[0]?.end()
    await settled()
    await pass(clock, 250)
    expect(await statusOf(two, waiting)).toBe('running')
    two.runner.commands[0]?.end()
    await settled()
    expect(await statusOf(one, waiting)).toBe('succeeded')
    expect(await placesIn(storage)).toEqual([])
    await pass(clock, 60_000)
    expect(await waitCollection.find(storage, { by: 'id', limit: 9 })).toEqual([])
    expect(clock.pendingTimers).toBe(0)
  })

  it.each([1, 2, 5])('of %i is never exceeded, and every run has its turn', async (concurrency) => {
    const { clock, storage, start } = createWorld({ concurrency })
    const running = new Set<ScriptedCommand>()
    let most = 0
    const script = (command: ScriptedCommand): void => {
      running.add(command)
      most = Math.max(most, running.size)
    }
    const services = [start({ script }), start({ script }), start({ script })]
    const runs: Promise<{ status: string }>[] = []
    for (let round = 0; round < 8; round++) {
      for (const { webhooks } of services)
        runs.push(triggerWebhook(webhooks, 'job', {}, { wait: true }))
      if (round % 3 === 0) await settled()
    }
    const all = Promise.all(runs)
    let isOver = false
    void all.then(() => {
      isOver = true
    })
    for (let turn = 0; !isOver; turn++) {
      const [first] = running
      if (first !== undefined && turn % 2 === 0) {
        running.delete(first)
        first.end()
      }
      await settled()
      await pass(clock, 250)
    }
    expect(most).toBe(concurrency)
    expect((await all).map(({ status }) => status)).toEqual(Array(24).fill('succeeded'))
    await pass(clock, 2_000)
    expect(await placesIn(storage)).toEqual([])
  })

  it('lets no process with a long queue keep the places from another', async () => {
    const { clock, start } = createWorld()
    const [busy, other] = [start(), start()]
    for (let index = 0; index < 100; index++) await ask(busy)
    const waiting = await ask(other)
    for (let index = 0; index < 20 && other.runner.commands.length === 0; index++) {
      busy.runner.commands.at(-1)?.end()
      await pass(clock, 250)
    }
    expect(await statusOf(other, waiting)).toBe('running')
    other.runner.commands[0]?.end()
    const before = busy.runner.commands.length
    await pass(clock, 500)
    expect(busy.runner.commands).toHaveLength(before + 1)
  })

  it('lets no webhook with a long queue keep the only place of the server from another', async () => {
    const clock = createManualClock()
    const storage = createMemoryStorage({ clock })
    const config = {
      limits: { concurrency: 1 },
      webhooks: [webhookNamed('job'), webhookNamed('other')],
    }
    const busy = createFixture({ clock, storage, config })
    for (let index = 0; index < 20; index++) await ask(busy)
    const waiting = await triggerWebhook(busy.webhooks, 'other', {}, { wait: false })
    if (waiting.status === 'skipped') throw new Error('the rules were not satisfied')
    for (let index = 0; index < 10; index++) {
      if ((await statusOf(busy, waiting)) === 'running') break
      busy.runner.commands.at(-1)?.end()
      await pass(clock, 250)
    }
    expect(await statusOf(busy, waiting)).toBe('running')
  })

  it('costs a single process no extra commit', async () => {
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
    const fixture = createFixture({ clock, storage, script: endAtOnce })
    const round = async (count: number): Promise<number> => {
      commits = 0
      for (let index = 0; index < count; index++) {
        await triggerWebhook(fixture.webhooks, 'job', {}, { wait: true })
      }
      return commits
    }
    await round(1)
    // One when it is recorded, one at its end.
    expect(await round(10)).toBe(20)
    const together = Array.from({ length: 10 }, () =>
      triggerWebhook(fixture.webhooks, 'job', {}, { wait: true }),
    )
    commits = 0
    await Promise.all(together)
    expect(commits).toBeLessThanOrEqual(20)
  })

  it('counts the runs of other processes when a service is closed', async () => {
    const { clock, start } = createWorld()
    const [one, two] = [start(), start()]
    await ask(one)
    const waiting = await ask(two)
    await closeWebhooks(one.webhooks, { graceMs: 0, killGraceMs: 0 })
    await pass(clock, 250)
    expect(await statusOf(two, waiting)).toBe('running')
  })
})

describe('on_busy', () => {
  it('rejects even if another process is busy', async () => {
    const { start } = createWorld({ on_busy: 'reject' })
    const [one, two] = [start(), start()]
    await ask(one)
    expect(await reasonOf(ask(two))).toBe('queue_full')
    expect(two.webhooks.work.board.size).toBe(0)
    one.runner.commands[0]?.end()
    await settled()
    expect(await reasonOf(ask(two))).toBe('running')
    expect(await reasonOf(ask(one))).toBe('queue_full')
  })

  it('lets only the latest run wait, whichever process it came to', async () => {
    const { clock, start } = createWorld({ on_busy: 'latest' })
    const [one, two] = [start(), start()]
    await ask(one)
    const early = [await ask(one), await ask(two)]
    const latest = await ask(one)
    await pass(clock, 1_000)
    const statuses = await Promise.all(early.map((run) => statusOf(one, run)))
    expect(statuses).toEqual(['superseded', 'superseded'])
    one.runner.commands[0]?.end()
    await pass(clock, 250)
    expect(await statusOf(one, latest)).toBe('running')
  })

  it('starts no run that is no longer the latest', async () => {
    const { clock, start } = createWorld({ on_busy: 'latest' })
    const [one, two] = [start(), start()]
    await ask(one)
    const early = await ask(one)
    const latest = await ask(two)
    one.runner.commands[0]?.end()
    await settled()
    expect(await statusOf(two, early)).toBe('superseded')
    await pass(clock, 250)
    expect(await statusOf(two, latest)).toBe('running')
    expect(one.runner.commands).toHaveLength(1)
  })
})

describe('a process that was declared dead', () => {
  it('loses its places, and ends its commands when it continues', async () => {
    const { clock, start } = createWorld()
    const stopped = createManualClock()
    const [one, two] = [start({ clock: stopped }), start()]
    const run = await ask(one)
    const waiting = await ask(two)
    await pass(clock, 29_000)
    expect(await statusOf(two, waiting)).toBe('queued')
    await pass(clock, 11_000)
    expect(await statusOf(two, waiting)).toBe('running')
    expect(await statusOf(two, run)).toBe('lost')
    await pass(stopped, 10_000)
    expect(one.runner.commands[0]?.signals).toEqual(['SIGTERM'])
    expect(await statusOf(one, run)).toBe('lost')
    expect(one.webhooks.work.board.size).toBe(0)
    const next = await ask(one)
    expect(next.status).toBe('queued')
    two.runner.commands[0]?.end()
    await pass(clock, 250)
    await pass(stopped, 250)
    expect(await statusOf(one, next)).toBe('running')
  })

  it('starts nothing from outdated knowledge', async () => {
    const { clock, start } = createWorld()
    const stopped = createManualClock()
    const [one, two] = [start({ clock: stopped, script: endAtOnce }), start()]
    await ask(one)
    await settled()
    const work = startRecords(two.webhooks)
    onTestFinished(() => work.stop())
    await pass(clock, 40_000)
    await ask(two)
    // Others have removed its heartbeat record, and it does not know.
    expect((await ask(one)).status).toBe('queued')
    expect(one.runner.commands).toHaveLength(1)
  })

  it('gives no place to a waiting run before its heartbeat was renewed', async () => {
    const { clock, start } = createWorld({ queue: 5 })
    const stopped = createManualClock()
    const one = start({ clock: stopped })
    const two = start()
    await ask(one)
    const next = await ask(one)
    await ask(two)
    await pass(clock, 35_000)
    expect(two.runner.commands).toHaveLength(1)
    stopped.advance(35_000)
    one.runner.commands[0]?.end()
    await settled()
    expect(one.runner.commands).toHaveLength(1)
    expect(await statusOf(two, next)).toBe('lost')
  })

  it('continues with waiting runs once its heartbeat was renewed', async () => {
    const { clock, start } = createWorld({ queue: 5 })
    const only = start()
    await ask(only)
    const next = await ask(only)
    clock.advance(25_000)
    only.runner.commands[0]?.end()
    await settled()
    expect(await statusOf(only, next)).toBe('running')
  })

  it('is not one with a different clock', async () => {
    const { clock, start } = createWorld()
    const late = createManualClock(clock.now() - 3_600_000)
    const [one, two] = [start({ clock: late }), start()]
    const run = await ask(one)
    const work = startRecords(two.webhooks)
    onTestFinished(() => work.stop())
    for (let second = 0; second < 90; second++) {
      await pass(late, 1_000)
      await pass(clock, 1_000)
    }
    expect(await statusOf(two, run)).toBe('running')
    expect(one.runner.commands[0]?.signals).toEqual([])
  })
})

/** A storage whose commits about places can be delayed, or made without an answer. */
function createUnsureStorage(storage: Storage) {
  const gate = { loses: false, held: undefined as Promise<void> | undefined }
  const isAboutPlaces = (writes: readonly Write[]): boolean =>
    writes.some(({ collection }) => collection.name === placeCollection.name)
  const unsure: Storage = {
    ...storage,
    async commit(writes) {
      if (isAboutPlaces(writes)) await gate.held
      const versions = await storage.commit(writes)
      if (gate.loses && isAboutPlaces(writes)) throw storageUnavailable('no answer came')
      return versions
    },
  }
  return { gate, unsure }
}

describe('a place whose commit had no answer', () => {
  it('is given to no run before the storage was read', async () => {
    const { clock, storage, start } = createWorld()
    const { gate, unsure } = createUnsureStorage(storage)
    const [one, two] = [start({ storage: unsure }), start()]
    await ask(one)
    await ask(two)
    await pass(clock, 2_000)
    gate.loses = true
    one.runner.commands[0]?.end()
    await settled()
    gate.loses = false
    expect((await ask(one)).status).toBe('queued')
    await pass(clock, 1_000)
    expect(two.runner.commands).toHaveLength(1)
    expect(one.runner.commands).toHaveLength(1)
    two.runner.commands[0]?.end()
    await pass(clock, 2_000)
    expect(one.runner.commands).toHaveLength(2)
  })

  it('is given back if no run was made with it', async () => {
    const { clock, storage, start } = createWorld()
    const { gate, unsure } = createUnsureStorage(storage)
    const one = start({ storage: unsure })
    gate.loses = true
    expect(await reasonOf(ask(one))).toBe('overloaded')
    expect(await placesIn(storage)).toHaveLength(1)
    gate.loses = false
    await pass(clock, 5_000)
    expect(await placesIn(storage)).toEqual([])
    await pass(clock, 20_000)
    expect(clock.pendingTimers).toBe(0)
  })

  it('that a run waits for is not given away', async () => {
    const { clock, storage, start } = createWorld({ concurrency: 2 })
    const { gate, unsure } = createUnsureStorage(storage)
    const one = start({ storage: unsure })
    const other = { webhook: laneKey('job'), server: 'other' }
    const place = placeCollection.write(`${other.webhook}.1`, other)
    const sign = { started_at: 0, machine: 'elsewhere', pid: 1, since: 0 }
    await storage.commit([place, serverCollection.write('other', sign)])
    await ask(one)
    await ask(one)
    await storage.commit([placeCollection.remove(`${other.webhook}.1`)])
    let open = (): void => {}
    gate.held = new Promise((resolve) => {
      open = resolve
    })
    await pass(clock, 500)
    await storage.commit([waitCollection.write(`${other.webhook}.other`, { ...other, since: 0 })])
    await pass(clock, 2_000)
    open()
    await settled()
    await settled()
    expect(one.runner.commands).toHaveLength(2)
    expect((await placesIn(storage)).map(({ value }) => value.server)).not.toContain('other')
  })
})

describe('a configuration that allows fewer runs', () => {
  it('holds across all processes once the earlier runs have ended', async () => {
    const { clock, storage, start } = createWorld({ concurrency: 2 })
    const [one, two] = [start(), start()]
    await ask(one)
    await ask(two)
    const fewer = { webhooks: [webhookNamed('job', { concurrency: 1 })] }
    for (const { webhooks } of [one, two]) updateWebhooksConfig(webhooks, fewer)
    await ask(one)
    await ask(two)
    for (const { runner } of [one, two]) runner.commands[0]?.end()
    const started = (): number => one.runner.commands.length + two.runner.commands.length
    await pass(clock, 5_000)
    expect(started()).toBe(3)
    for (const { runner } of [one, two]) runner.commands[1]?.end()
    await pass(clock, 5_000)
    expect(started()).toBe(4)
    for (const { runner } of [one, two]) runner.commands[1]?.end()
    await pass(clock, 5_000)
    expect(await placesIn(storage)).toEqual([])
  })
})

describe('an idle server without a heartbeat', () => {
  it('keeps new runs although another process declared it dead', async () => {
    const { storage, start } = createWorld()
    const one = start()
    let came: Promise<Run> | undefined
    const late: Storage = {
      ...storage,
      async get(collection, ids) {
        const found = await storage.get(collection, ids)
        if (collection.name === serverCollection.name) {
          came ??= ask(one)
          await came
        }
        return found
      },
    }
    const ended: string[] = []
    const machine = {
      ...systemMachine,
      async endRuns(runIds: readonly string[]) {
        ended.push(...runIds)
        return true
      },
    }
    const two = start({ storage: late, machine })
    await loseGoneServers(two.webhooks, [one.webhooks.work.heartbeat.server])
    expect(ended).toEqual([])
    const run = await came
    expect(run && (await runCollection.get(storage, run.id))?.value.status).toBe('running')
    expect(await placesIn(storage)).toHaveLength(1)
  })
})

describe('a server of this machine', () => {
  const runId = 'run_0000000000000000000000000z'

  /** The records of a server with a run, and the process of its command. */
  async function createRemains(storage: Storage, process: { pid: number; since: number }) {
    const command = spawn('/bin/sh', ['-c', 'setsid sleep 60 & wait'], {
      env: { PATH: '/usr/bin:/bin', GATEHOUSE_RUN_ID: runId },
      detached: true,
      stdio: 'ignore',
    })
    onTestFinished(() => void command.kill('SIGKILL'))
    await once(command, 'spawn')
    const probe = createFixture({ storage, clock: createManualClock() })
    const { id: run_id } = await ask(probe)
    const record = await runCollection.get(storage, run_id)
    if (record === undefined) throw new Error('the run has no record')
    const run = { ...record.value, run_id: runId, server: 'former' }
    const { machine } = ownProcess()
    const server = { started_at: 0, machine, ...process }
    probe.runner.commands[0]?.end()
    await settled()
    const place = { webhook: laneKey('job'), server: 'former' }
    await storage.commit([
      runCollection.write(runId, run),
      serverCollection.write('former', server),
      placeCollection.write(`${place.webhook}.0`, place),
    ])
    return command
  }

  it('that was killed has its commands ended before its runs are lost and its places are free', async () => {
    const { storage, start } = createWorld()
    const command = await createRemains(storage, { pid: 2 ** 22 + 1, since: 1 })
    const exited = once(command, 'exit')
    const fixture = start()
    expect(await statusOf(fixture, { id: runId } as Run)).toBe('running')
    expect((await ask(fixture)).status).toBe('running')
    await exited
    expect(await statusOf(fixture, { id: runId } as Run)).toBe('lost')
    expect(await serverCollection.get(storage, 'former')).toBeUndefined()
  })

  it('that is suspended keeps its runs, however long', async () => {
    const { clock, storage, start } = createWorld()
    const server = spawn('/bin/sleep', ['60'], { stdio: 'ignore' })
    onTestFinished(() => void server.kill('SIGKILL'))
    await once(server, 'spawn')
    const pid = server.pid ?? 0
    const since = readProcessTable().find((one) => one.pid === pid)?.startedAt ?? 0
    await createRemains(storage, { pid, since })
    const fixture = start()
    const work = startRecords(fixture.webhooks)
    onTestFinished(() => work.stop())
    const waiting = await ask(fixture)
    await pass(clock, 60_000)
    expect(await statusOf(fixture, waiting)).toBe('queued')
    expect(await statusOf(fixture, { id: runId } as Run)).toBe('running')
    const exited = once(server, 'exit')
    server.kill('SIGKILL')
    await exited
    clock.advance(10_000)
    await expect.poll(() => statusOf(fixture, { id: runId } as Run)).toBe('lost')
  })
})
