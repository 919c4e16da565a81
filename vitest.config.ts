import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { isWide } from './test-support/lane.ts'
import { findLanes, isLongerThanItLooks, startsManyCommands } from './test-support/lanes.ts'

const lanes = findLanes()
const notTests = ['**/node_modules/**', '**/dist/**']
const cores = availableParallelism()

/** Everything is a unit test unless it is known to be another, so that `npm run watch` sees new files. */
const unit = {
  name: 'unit',
  include: ['{packages,examples,simulation,test-support}/**/*.test.ts'],
  exclude: [...notTests, '**/*.wide.test.ts', ...lanes.system],
  setupFiles: ['test-support/unit-guard.ts'],
  maxWorkers: cores,
  sequence: { groupOrder: 0 },
}

const system = {
  name: 'system',
  include: lanes.system.filter((file) => !startsManyCommands.test(file)),
  globalSetup: ['test-support/postgres/postgres-global.ts'],
  maxWorkers: cores + 1, // many wait for processes they have started; with more, browsers starve
  sequence: { groupOrder: 1 },
}

/** In workers of their own, which stay small: to fork one of 700 MB takes six times as long as one of 60 MB. */
const commands = {
  ...system,
  name: 'system: commands',
  include: lanes.system.filter((file) => startsManyCommands.test(file)),
}

/**
 * Without durations of an earlier run, vitest begins with the largest files. Within each project this begins with those that take
 * longer than their size says, so that the last files of a project are short, and no worker waits for another one.
 */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project))]
    const isLong = ({ moduleId }: TestSpecification) => isLongerThanItLooks.test(moduleId)
    return projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project)
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))]
    })
  }
}

export default defineConfig({
  // React's package takes these from their sources, as its build does.
  resolve: {
    alias: {
      '@gatehouse/sign-in/flow': fileURLToPath(
        new URL('packages/sign-in/src/flow', import.meta.url),
      ),
    },
  },
  ssr: { resolve: { conditions: ['@gatehouse/source', 'node'] } },
  test: {
    pool: 'forks',
    sequence: { sequencer: LongFilesFirst },
    // What a file imports is loaded once in a process, not for each file again.
    isolate: false,
    // What one lane has transformed, the next one reads from disk.
    experimental: {
      fsModuleCache: true,
      fsModuleCachePath: 'node_modules/.cache/gatehouse/modules',
    },
    // For what hangs; a busy machine may be ten times slower than an idle one.
    testTimeout: isWide ? 900_000 : 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // The lines of services that are given no logger. Tests of lines pass a logger of their own.
    onConsoleLog: (log) => !log.startsWith('[gatehouse] '),
    projects: (isWide
      ? [{ ...system, name: 'wide', include: [...lanes.wide] }]
      : [unit, system, commands]
    ).map((test) => ({ extends: true as const, test })),
  },
})
