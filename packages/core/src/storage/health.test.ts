import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'
import { type Logger, silentLogger } from '../logger.ts'
import { createMetricsRegistry } from '../metrics/metrics.ts'
import { createManualClock } from '../testing/manual-clock.ts'
import { createStorageHealth, healthCollection } from './health.ts'
import { type Storage, storageUnavailable } from './storage.ts'

type Commit = Storage['commit']

function setUp() {
  const clock = createManualClock()
  const storage = createMemoryStorage({ clock })
  const lines: string[] = []
  const note =
    (level: string): Logger['error'] =>
    (fields, message) =>
      void lines.push(`${level} ${message} ${JSON.stringify(fields)}`)
  const logger = { ...silentLogger, error: note('error'), info: note('info') }
  const metrics = createMetricsRegistry()
  const commits: number[] = []
  let commit: Commit = storage.commit
  const watched: Storage = {
    ...storage,
    commit(writes) {
      commits.push(writes.length)
      return commit(writes)
    },
  }
  const health = createStorageHealth({ storage: watched, clock, logger, metrics })
  const become = (next: Commit): void => {
    commit = next
    clock.advance(1_000)
  }
  return { clock, storage, health, metrics, lines, commits, become }
}

const full: Commit = () => Promise.reject(storageUnavailable('the disk is full'))
const problem = { reason: 'StorageUnavailable', message: 'the disk is full' }

describe('the health of a storage', () => {
  it('is good while it is writable, and leaves no record in it', async () => {
    const { health, storage, commits } = setUp()
    expect(await health.check()).toBeUndefined()
    expect(commits).toEqual([1, 1])
    expect(await healthCollection.find(storage, { by: 'id', limit: 1 })).toEqual([])
  })

  it('is checked at most once a second', async () => {
    const { health, commits, clock } = setUp()
    await Promise.all(Array.from({ length: 1_000 }, () => health.check()))
    await health.check()
    expect(commits).toHaveLength(2)
    clock.advance(1_000)
    await health.check()
    expect(commits).toHaveLength(4)
    clock.setTo(clock.now() - 3_600_000)
    await health.check()
    expect(commits).toHaveLength(6)
  })

  it('is logged only when it changes', async () => {
    const { health, lines, become, storage } = setUp()
    for (let second = 0; second < 5; second++) {
      become(full)
      expect(await health.check()).toEqual(problem)
    }
    become(storage.commit)
    expect(await health.check()).toBeUndefined()
    expect(lines).toEqual([
      'error not ready: the storage does not work {"reason":"StorageUnavailable","error":"the disk is full"}',
      'info ready: the storage works again {}',
    ])
  })

  it('is bad while a read fails, and hides the message of an unexpected error', async () => {
    const { health } = setUp()
    health.watch(() => Promise.reject(new SyntaxError('postgres://user:secret@host')))
    expect(await health.check()).toEqual({
      reason: 'SyntaxError',
      message: 'the storage failed with an unexpected error (SyntaxError)',
    })
  })

  it('is bad while the storage does not answer, and starts no second check', async () => {
    const { health, become, commits, clock } = setUp()
    become(() => new Promise(() => {}))
    for (let attempt = 0; attempt < 3; attempt++) {
      const answer = health.check()
      clock.advance(5_000)
      expect(await answer).toEqual({ reason: 'Timeout', message: 'the storage does not answer' })
      clock.advance(1_000)
    }
    expect(commits).toHaveLength(1)
    expect(clock.pendingTimers).toBe(0)
  })

  it('is exported as metrics, with its reason', async () => {
    const { metrics, become, storage } = setUp()
    const scrape = async (): Promise<string[]> =>
      (await metrics.expose(null)).body.split('\n').filter((line) => /^gatehouse/.test(line))
    expect(await scrape()).toEqual(['gatehouse_storage_writable 1'])
    become(full)
    expect(await scrape()).toEqual([
      'gatehouse_storage_problem{reason="StorageUnavailable"} 1',
      'gatehouse_storage_writable 0',
    ])
    become(storage.commit)
    expect(await scrape()).toEqual(['gatehouse_storage_writable 1'])
    expect(() => createStorageHealth({ storage, metrics })).not.toThrow()
  })
})
