import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeStorageProcesses } from '@gatehouse/core/conformance'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { afterAll, beforeAll } from 'vitest'
import { bundleFixture, startFixture } from '../../../test-support/fixture-process.ts'

let program: string

beforeAll(async () => {
  program = await bundleFixture(new URL('./scenario.fixture.ts', import.meta.url))
})
afterAll(() => rm(program))

describeStorageProcesses('sqlite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-sqlite-'))
  const filename = join(folder, 'test.db')
  return {
    storage: createSqliteStorage({ filename, busyTimeoutMs: 20_000 }),
    start: (scenario) => startFixture(program, [filename, ...scenario]),
    release: () => rm(folder, { recursive: true }),
  }
})
