import { describe } from 'vitest'
import { describeFeed } from './processes/feed.ts'
import type { StorageProcessesFactory } from './processes/harness.ts'
import { describeLeases } from './processes/leases.ts'
import { describeRaces } from './processes/races.ts'

/** Processes have to be started, and the machine may have other things to do. */
const timeout = 60_000

/**
 * Tests that a store which several processes open acts as one, also when some of them are killed. To be called beside
 * `describeSharedStorage`, in a test file of vitest. The program that the processes run is `runStorageScenario` of
 * `@gatehouse/core/testing`, on a storage that it opens and closes.
 *
 * @param factory makes an empty store on the clock of the machine, and starts processes; called before each test.
 */
export function describeStorageProcesses(name: string, factory: StorageProcessesFactory): void {
  describe(`${name} storage, opened by several processes`, { timeout }, () => {
    describe('races', () => describeRaces(factory))
    describe('leases', () => describeLeases(factory))
    describe('the feed', () => describeFeed(factory))
  })
}
