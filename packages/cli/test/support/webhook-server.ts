import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { jsonPost, type RawAnswer, send } from './http.ts'
import { type Server, serverOf } from './server.ts'

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** The token of every webhook and of the administrator in these tests. */
export const token = 'a-token-of-the-tests'

/** A webhook of the configuration, without what all have. */
export interface TestWebhook {
  readonly id: string
  readonly execute_command: string
  readonly [key: string]: unknown
}

/** Options of {@link startWebhooksServer}. */
export interface WebhooksServerOptions {
  /** Where the configuration and the database are; commands run in it. */
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
export async function startWebhooksServer(options: WebhooksServerOptions): Promise<Server> {
  const { folder, webhooks, settings = {} } = options
  const file = join(folder, `${randomUUID()}.json`)
  const config = {
    host: '127.0.0.1',
    port: 0,
    storage: { sqlite: 'gatehouse.db' },
    admin: { token },
    history: { max_runs: 100_000 },
    webhooks: webhooks.map((webhook) => ({ token, workdir: folder, ...webhook })),
    ...settings,
  }
  await writeFile(file, JSON.stringify(config), { mode: 0o600 })
  const args = [main, 'api', '--config', file]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const port = await new Promise<number>((resolve, reject) => {
    let output = ''
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
      const ready = /^listening on http:\/\/127\.0\.0\.1:(\d+)$/m.exec(output)
      if (ready !== null) resolve(Number(ready[1]))
    })
    child.once('error', reject)
    child.once('close', (code) => reject(new Error(`it ended with ${code}:\n${output}`)))
  })
  return serverOf(child, `http://127.0.0.1:${port}`, port, async () => {})
}

/** Asks for a run of a webhook. */
export function ask(port: number, id: string, data: object = {}): Promise<RawAnswer> {
  return send(port, jsonPost('/webhook', { id, token, data }))
}

/** What a record says of a run; the rest is not looked at. */
export interface RecordedRun {
  readonly run_id: string
  readonly id: string
  readonly status: string
  readonly reason: string | null
}

/** Every run that a server has a record of, by its id. */
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
