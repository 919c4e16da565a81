import type { Storage } from '../storage/storage.ts'
import { awaitApprovals } from './scenarios/await-approvals.ts'
import { countTogether } from './scenarios/count-together.ts'
import type { Scenario } from './scenarios/scenario.ts'
import { spendCodes } from './scenarios/spend-codes.ts'
import { takeNames } from './scenarios/take-names.ts'
import { workOnTasks } from './scenarios/work-on-tasks.ts'
import { relayEntries, writeEntries } from './scenarios/write-entries.ts'

const scenarios: ReadonlyMap<string | undefined, Scenario> = new Map([
  ['approvals', awaitApprovals],
  ['codes', spendCodes],
  ['counter', countTogether],
  ['entries', writeEntries],
  ['names', takeNames],
  ['relay', relayEntries],
  ['tasks', workOnTasks],
])

/**
 * Plays one process in a test of `describeStorageProcesses`, on the storage that the process has opened.
 *
 * @param scenario the arguments that the test passed to `start`, unchanged.
 * @param write passes a line to the test, synchronously.
 * @throws {TypeError} if there is no such scenario.
 */
export async function runStorageScenario(
  storage: Storage,
  scenario: readonly string[],
  write: (line: string) => unknown,
): Promise<void> {
  const [name, ...args] = scenario
  const play = scenarios.get(name)
  if (play === undefined) throw new TypeError(`there is no scenario "${name}"`)
  await play({ storage, args, write })
}
