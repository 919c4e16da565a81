import { describe } from 'vitest'
import { describeFeed } from './processes/feed.ts'
import type { StorageProcessesFactory } from './processes/harness.ts'
import { describeLeases } from './processes/leases.ts'
import { describeRaces } from './processes/races.ts'

/** Starting processes takes time, and the machine may be busy. */
const timeout = 60_000

/**
 * Tests that a store opened by several processes acts as one, also when some of them are killed. Call it beside
 * `describeSharedStorage`, in a vitest test file. The processes run a program that calls `runStorageScenario` of
 * `@gatehouse/core/testing`, on a storage that it opens and closes.
 *
 * @param factory creates an empty store that uses the machine's clock, and starts processes. It is called before each test.
 */
export function describeStorageProcesses(name: string, factory: StorageProcessesFactory): void {
  describe(`${name} storage, opened by several processes`, { timeout }, () => {
    describe('races', () => describeRaces(factory))
    describe('leases', () => describeLeases(factory))
    describe('the feed', () => describeFeed(factory))
  })
}
