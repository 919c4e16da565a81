import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type CommandRunner,
  closeWebhooks,
  createLaunchRunner,
  createSpawnRunner,
  createWebhooks,
  webhooksCollections,
} from '@gatehouse/core/webhook'
import { casesAt, isInGrid } from '../../../test-support/lane.ts'
import { adapters, startServer } from './servers.ts'
import { forEachStore, type Store, stores } from './stores.ts'
import {
  runWebhookVector,
  serverOnlyVariable,
  type WebhookVector,
  webhookVectorConfig,
} from './webhook-vector-runner.ts'

/** A combination of store, adapter and runner for the webhook service. */
export interface Stage {
  readonly name: string
  readonly adapter: string
  readonly store: Store
  readonly runner: string
  createRunner(): CommandRunner
}

const environment = { ...process.env, [serverOnlyVariable]: 'secret' }

const runners: Readonly<Record<string, () => CommandRunner>> = {
  processes: () => createSpawnRunner(),
  launchers: () => createLaunchRunner({ spawn: createSpawnRunner() }),
}

const runnerNames = Object.keys(runners)
const others = [adapters, stores, runnerNames].flatMap((choices) => choices.slice(1))

/** The adapters and command runners that this lane has on one store. */
function stagesOn(store: Store): readonly Stage[] {
  return adapters.flatMap((adapter) =>
    Object.entries(runners).flatMap(([runner, createRunner]) => {
      const isFirst = [adapter === adapters[0], store.name === stores[0], runner === runnerNames[0]]
      const name = `${adapter}, ${store.name}, ${runner}`
      return isInGrid(...isFirst) ? [{ name, adapter, store, runner, createRunner }] : []
    }),
  )
}

/** Calls `describeStage` for every store, adapter and runner. In the wide lane: for every combination of them. */
export function forEachStage(describeStage: (stage: Stage) => void): void {
  forEachStore(webhooksCollections, (store) => {
    for (const stage of stagesOn(store)) describeStage(stage)
  })
}

/** The cases that a stage of {@link forEachStage} runs. */
export const casesOf = <T>({ adapter, store, runner }: Stage, cases: readonly T[]): readonly T[] =>
  casesAt([adapter, store.name, runner], others, cases)

/** Runs a vector against its own service, and ends everything that it started. */
export async function runOn(stage: Stage, vector: WebhookVector): Promise<void> {
  const workdir = await realpath(await mkdtemp(join(tmpdir(), 'gatehouse-vector-')))
  const storage = stage.store.open()
  const runner = stage.createRunner()
  const config = webhookVectorConfig(vector, workdir)
  const webhooks = createWebhooks({ storage, config, runner, environment, workdir })
  const server = await startServer(stage.adapter)
  server.serve([...webhooks.routes, ...webhooks.fallbackRoutes])
  try {
    await runWebhookVector(vector, { port: server.port, workdir })
  } finally {
    await server.close()
    await closeWebhooks(webhooks, { graceMs: 0 })
    await storage.close()
    await rm(workdir, { recursive: true, force: true })
  }
}
