import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

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

export default defineConfig({
  ssr: { resolve: { conditions: ['@gatehouse/source', 'node'] } },
  test: {
    alias: sqliteAlias(),
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
      'examples/*/**/*.test.ts',
      'test-support/**/*.test.ts',
      'simulation/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['test-support/postgres-global.ts'],
    pool: 'forks',
    // What a file imports is loaded once in a process, not for each file again.
    isolate: false,
    // Many tests wait for processes they have started.
    maxWorkers: 3,
    // For what hangs; a busy machine may be ten times slower than an idle one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
