import { launchConfig } from './api-server.ts'
import { jsonPost, type RawAnswer, type RawRequest, send } from './http.ts'
import type { Server } from './server.ts'

/** The token of every webhook and of the administrator in these tests. */
export const token = 'a-token-of-the-tests'

/** A webhook of the configuration, without the keys that all have. */
export interface TestWebhook {
  readonly id: string
  readonly execute_command: string
  readonly [key: string]: unknown
}

/** Options of {@link startWebhooksServer}. */
export interface WebhooksServerOptions {
  /** The folder of the configuration and the database; commands run in it. */
  readonly folder: string
  readonly webhooks: readonly TestWebhook[]
  /** Further keys of the file. */
  readonly settings?: Readonly<Record<string, unknown>>
}

/**
 * Starts the built `gatehouse api` on an SQLite file, and waits until it listens.
 *
 * @throws {Error} with its output if it ends first.
 */
export function startWebhooksServer(options: WebhooksServerOptions): Promise<Server> {
  const { folder, webhooks, settings = {} } = options
  const config = {
    host: '127.0.0.1',
    port: 0,
    storage: { sqlite: 'gatehouse.db' },
    ...webhooksSection(webhooks, folder),
    ...settings,
  }
  return launchConfig(config, { folder })
}

/** The keys of a configuration with the webhooks of a test, whose commands run in a folder. */
export const webhooksSection = (webhooks: readonly TestWebhook[], folder: string): object => ({
  admin: { token },
  history: { max_runs: 100_000 },
  webhooks: webhooks.map((webhook) => ({ token, workdir: folder, ...webhook })),
})

/** A request for a run of a webhook. */
export const triggerRequest = (id: string, data: object = {}): RawRequest =>
  jsonPost('/webhook', { id, token, data })

/** Requests a run of a webhook. */
export const ask = (port: number, id: string, data: object = {}): Promise<RawAnswer> =>
  send(port, triggerRequest(id, data))

/** The compared part of a run's record. */
export interface RecordedRun {
  readonly run_id: string
  readonly id: string
  readonly status: string
  readonly reason: string | null
}

/** All recorded runs of a server, by id. */
export async function recordedRuns(port: number): Promise<ReadonlyMap<string, RecordedRun>> {
  const found = new Map<string, RecordedRun>()
  const headers = { authorization: `Bearer ${token}` }
  for (let before = ''; ; ) {
    const path = `/runs?limit=500${before === '' ? '' : `&before=${before}`}`
    const { status, body } = await send(port, { method: 'GET', path, headers })
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${body}`)
    const { runs, next }: { runs: RecordedRun[]; next?: string | null } = JSON.parse(body)
    for (const run of runs) found.set(run.run_id, run)
    if (!next) return found
    before = next
  }
}
