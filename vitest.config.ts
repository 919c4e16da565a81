import { defineConfig } from 'vitest/config'

export default defineConfig({
  ssr: { resolve: { conditions: ['@gatehouse/source', 'node'] } },
  test: {
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
