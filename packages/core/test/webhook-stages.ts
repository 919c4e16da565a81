import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type CommandRunner,
  closeWebhooks,
  createLaunchRunner,
  createSpawnRunner,
  createWebhooks,
  type Storage,
  webhookCollections,
} from '@gatehouse/core'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { createPostgresStorage, migratePostgres } from '@gatehouse/store-postgres'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { dropDatabase } from '../../../test-support/postgres-database.ts'
import { describeWithPostgres, freshDatabase } from '../../../test-support/use-postgres.ts'
import { adapters, startServer } from './servers.ts'
import {
  runWebhookVector,
  serverOnlyVariable,
  type WebhookVector,
  webhookVectorConfig,
} from './webhook-vector-runner.ts'

/** What the webhook service can stand on. */
export interface Stage {
  readonly name: string
  readonly adapter: string
  readonly store: string
  readonly runner: string
  createStorage(): Storage
  createRunner(): CommandRunner
}

const environment = { ...process.env, [serverOnlyVariable]: 'secret' }

const runners: Readonly<Record<string, () => CommandRunner>> = {
  processes: () => createSpawnRunner(),
  launchers: () => createLaunchRunner({ spawn: createSpawnRunner() }),
}

/** Every adapter and every runner of commands, on one store. */
function stagesOn(store: string, createStorage: () => Storage): Stage[] {
  return adapters.flatMap((adapter) =>
    Object.entries(runners).map(([runner, createRunner]) => {
      const name = `${adapter}, ${store}, ${runner}`
      return { name, adapter, store, runner, createStorage, createRunner }
    }),
  )
}

/** Calls `describeStage` for everything the service can stand on, as far as it is there. */
export function forEachStage(describeStage: (stage: Stage) => void): void {
  const inProcess = [
    ...stagesOn('memory', () => createMemoryStorage()),
    ...stagesOn('sqlite', () => createSqliteStorage({ filename: ':memory:' })),
  ]
  for (const stage of inProcess) describeStage(stage)

  describeWithPostgres('on PostgreSQL', () => {
    let url = ''
    let pool: pg.Pool
    beforeAll(async () => {
      url = await freshDatabase()
      pool = new pg.Pool({ connectionString: url, max: 5 })
      await migratePostgres({ database: pool, collections: webhookCollections })
    })
    afterAll(async () => {
      await pool.end()
      await dropDatabase(url)
    })
    const createStorage = (): Storage => createPostgresStorage({ database: pool })
    for (const stage of stagesOn('postgres', createStorage)) describeStage(stage)
  })
}

/** Runs one vector against a service of its own, and ends whatever that has started. */
export async function runOn(stage: Stage, vector: WebhookVector): Promise<void> {
  const workdir = await realpath(await mkdtemp(join(tmpdir(), 'gatehouse-vector-')))
  const storage = stage.createStorage()
  const runner = stage.createRunner()
  const config = webhookVectorConfig(vector, workdir)
  const hooks = createWebhooks({ storage, config, runner, environment, workdir })
  const server = await startServer(stage.adapter)
  server.serve([...hooks.routes, ...hooks.fallbackRoutes])
  try {
    await runWebhookVector(vector, { port: server.port, workdir })
  } finally {
    await server.close()
    await closeWebhooks(hooks, { graceMs: 0 })
    await storage.close()
    await rm(workdir, { recursive: true, force: true })
  }
}
