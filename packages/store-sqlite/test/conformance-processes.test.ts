import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeStorageProcesses, type StorageProcessesFactory } from '@gatehouse/core/conformance'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { afterAll, beforeAll, describe } from 'vitest'
import { bundleFixture, startFixture } from '../../../test-support/fixture-process.ts'
import { isWide } from '../../../test-support/lane.ts'
import { describeFeed } from '../../core/src/conformance/processes/feed.ts'
import { describeRaces } from '../../core/src/conformance/processes/races.ts'

let program: string

beforeAll(async () => {
  program = await bundleFixture(new URL('./scenario.fixture.ts', import.meta.url))
})
afterAll(() => rm(program))

const factory: StorageProcessesFactory = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-sqlite-'))
  const filename = join(folder, 'test.db')
  return {
    storage: createSqliteStorage({ filename, busyTimeoutMs: 20_000 }),
    start: (scenario) => startFixture(program, [filename, ...scenario]),
    release: () => rm(folder, { recursive: true }),
  }
}

if (isWide) describeStorageProcesses('sqlite', factory)
else {
  // Leases are made of what the races test. Usually those on PostgreSQL are tested.
  describe('sqlite storage, opened by several processes', { timeout: 60_000 }, () => {
    describe('races', () => describeRaces(factory))
    describe('the feed', () => describeFeed(factory))
  })
}
