import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { isWide } from './test-support/lane.ts'
import { findLanes } from './test-support/lanes.ts'

/** The addon in node_modules fits one version of Node.js. On others, the tests use the SQLite of Node.js itself. */
function sqliteAlias(): Record<string, string> {
  try {
    const Database = createRequire(import.meta.url)('better-sqlite3')
    new Database(':memory:').close()
    return {}
  } catch {
    const file = new URL('./test-support/better-sqlite3-missing.ts', import.meta.url)
    return { 'better-sqlite3': fileURLToPath(file) }
  }
}

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
}

const system = {
  name: 'system',
  include: [...lanes.system],
  globalSetup: ['test-support/postgres-global.ts'],
  maxWorkers: cores + 1, // many wait for processes they have started
}

export default defineConfig({
  ssr: { resolve: { conditions: ['@gatehouse/source', 'node'] } },
  test: {
    alias: sqliteAlias(),
    pool: 'forks',
    // What a file imports is loaded once in a process, not for each file again.
    isolate: false,
    // For what hangs; a busy machine may be ten times slower than an idle one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    projects: (isWide
      ? [{ ...system, name: 'wide', include: [...lanes.wide] }]
      : [unit, system]
    ).map((test) => ({ extends: true as const, test })),
  },
})
