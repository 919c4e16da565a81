import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { createFixture } from '../service.fixture.ts'
import { createCluster, settled } from '../start/start-heartbeat.fixture.ts'
import { getServerStatus } from './get-server-status.ts'
import { reloadAlertsConfig, updateAlertsConfig } from './update-alerts-config.ts'

it('describes the storage, the history, and that there are no problems', async () => {
  const { alerts } = createFixture()
  expect(await getServerStatus(alerts)).toEqual({
    at: '2026-01-02T12:00:00.000Z',
    startedAt: '2026-01-02T12:00:00.000Z',
    storage: { kind: 'memory', records: expect.any(Number), refreshMs: expect.any(Number) },
    history: {
      retentionMs: 14 * 24 * 3_600_000,
      packedBytes: 0,
      maxBytes: 128 * 1024 * 1024,
      waiting: 0,
    },
    processes: [],
    problems: [],
  })
})

it('shows the size of a file', async () => {
  const storage = createSqliteStorage({ filename: ':memory:' })
  onTestFinished(() => storage.close())
  const { alerts } = createFixture({ storage })
  const { storage: shown } = await getServerStatus(alerts)
  expect(shown).toMatchObject({ kind: 'sqlite', freeBytes: expect.any(Number) })
  expect(shown.bytes).toBeGreaterThan(4_096)
})

it('does without the size of a store that does not know it', async () => {
  const { storage } = createFixture()
  const { describe: _, ...plain } = storage as typeof storage & { describe: unknown }
  const { alerts } = createFixture({ storage: plain })
  expect((await getServerStatus(alerts)).storage).toEqual({ refreshMs: expect.any(Number) })
})

it('lists the processes with their heartbeats, this one first', async () => {
  const { process, pass } = createCluster()
  const [b, a] = [process('b'), process('a')]
  a.start()
  b.start()
  await settled()
  const { processes, at } = await getServerStatus(b.alerts)
  expect(processes).toEqual([
    { name: 'b', address: 'b:9094', isThis: true, heartbeatAt: at },
    { name: 'a', address: 'a:9094', isThis: false, heartbeatAt: at },
  ])
  a.crash()
  await pass(21_000)
  expect((await getServerStatus(b.alerts)).processes.map(({ name }) => name)).toEqual(['b'])
})

it('reports a storage that does not work, and still answers', async () => {
  const { alerts, storage } = createFixture()
  await storage.close()
  const { problems, storage: shown } = await getServerStatus(alerts)
  expect(problems).toEqual([
    { isFailure: true, message: expect.stringContaining('the storage does not work: ') },
  ])
  expect(shown).toEqual({})
})

it('reports a refused configuration until a good one is loaded, without the words of foreign errors', async () => {
  const reload = (): Promise<string> => Promise.reject(new Error('https://me:s3cr3t@host failed'))
  const { alerts } = createFixture({ reload })
  const messages = async (): Promise<readonly string[]> =>
    (await getServerStatus(alerts)).problems.map(({ message }) => message)
  const start = 'the last reload failed, and the configuration before it runs: '
  expect(() => updateAlertsConfig(alerts, 'route: {}')).toThrow()
  expect(await messages()).toEqual([expect.stringContaining(`${start}root route must specify`)])
  await expect(reloadAlertsConfig(alerts)).rejects.toThrow()
  expect(await messages()).toEqual([`${start}see the log`])
  updateAlertsConfig(alerts, 'route: { receiver: a }\nreceivers: [{ name: a }]')
  expect(await messages()).toEqual([])
})

it('adds the problems of the option, after failures and bounded', async () => {
  const findProblems = async (): Promise<string[]> => ['y'.repeat(5_000), ...Array(200).fill('x')]
  const { alerts } = createFixture({ findProblems })
  const { problems } = await getServerStatus(alerts)
  expect(problems).toHaveLength(100)
  expect(problems[0]).toEqual({ isFailure: false, message: 'y'.repeat(1_000) })
  const rejects = () => Promise.reject(new Error('s3cr3t'))
  const throws = (): never => {
    throw new Error('s3cr3t')
  }
  for (const failing of [rejects, throws]) {
    const { alerts: failed } = createFixture({ findProblems: failing })
    expect((await getServerStatus(failed)).problems).toEqual([
      { isFailure: true, message: 'the search for problems failed: see the log' },
    ])
  }
})
