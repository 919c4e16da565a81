import { rm } from 'node:fs/promises'
import { describeStorageProcesses } from '@gatehouse/core/conformance'
import { createPostgresStorage } from '@gatehouse/store-postgres'
import { afterAll, beforeAll } from 'vitest'
import { bundleFixture, startFixture } from '../../../test-support/fixture-process.ts'
import { dropDatabase } from '../../../test-support/postgres/postgres-database.ts'
import { describeWithPostgres, freshDatabase } from '../../../test-support/postgres/use-postgres.ts'

describeWithPostgres('several processes on one PostgreSQL', () => {
  let program: string

  beforeAll(async () => {
    program = await bundleFixture(new URL('./scenario.fixture.ts', import.meta.url))
  })
  afterAll(() => rm(program))

  describeStorageProcesses('postgres', async () => {
    const url = await freshDatabase()
    return {
      storage: createPostgresStorage({ timeoutMs: 60_000, url }),
      start: (scenario) => startFixture(program, [url, ...scenario]),
      release: () => dropDatabase(url),
    }
  })
})
