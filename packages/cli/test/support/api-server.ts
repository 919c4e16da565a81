import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Server, serverOf, whenReady } from './server.ts'

/** Options of {@link launchApi}. */
export interface ApiOptions {
  /** The section `storage` of the file. */
  readonly storage: Readonly<Record<string, unknown>>
  /** Where the file is written. The caller removes the folder. */
  readonly folder: string
  /** More flags. */
  readonly flags?: readonly string[]
}

/** The built command. */
export const main: string = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** Routes, groups and inhibits by the labels of the alerts of {@link startFleetLoad}. */
const alertmanagerConfig = {
  route: {
    receiver: 'others',
    group_by: ['owner', 'batch'],
    routes: [
      { receiver: 'pager', matchers: ['severity="critical"'], continue: true },
      { receiver: 'team', matchers: ['owner=~"a[0-3]"'] },
    ],
  },
  inhibit_rules: [
    {
      source_matchers: ['severity="critical"'],
      target_matchers: ['severity="warning"'],
      equal: ['owner', 'batch'],
    },
  ],
  receivers: [{ name: 'others' }, { name: 'pager' }, { name: 'team' }],
}

/** Writes a file for `gatehouse api` with the alert service in a cluster, and returns its path. */
export async function writeApiConfig(
  folder: string,
  storage: Readonly<Record<string, unknown>>,
): Promise<string> {
  return writeConfig(folder, { storage, alerts: { config: alertmanagerConfig, cluster: {} } })
}

async function writeConfig(folder: string, config: object): Promise<string> {
  const file = join(folder, `${randomUUID()}.json`)
  await writeFile(file, JSON.stringify(config), { mode: 0o600 })
  return file
}

/**
 * Writes the configuration into the folder, starts the built `gatehouse api` with it, and waits until it listens, ready or not.
 * Keeps the whole output.
 *
 * @throws {Error} with its exit code and output if it ends first.
 */
export async function launchConfig(
  config: object,
  { folder, flags = [] }: Pick<ApiOptions, 'folder' | 'flags'>,
): Promise<Server> {
  return launchFile(await writeConfig(folder, config), flags)
}

/** The same with a configuration file that is there, and more variables. */
export async function launchFile(
  file: string,
  flags: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
): Promise<Server> {
  if (!existsSync(main)) throw new Error(`${main} is missing: npm test builds it first`)
  const args = [main, 'api', '--config', file, ...flags]
  const env = { ...process.env, ...variables }
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env })
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk
        const found = /\blistening\b.*(https?:\/\/127\.0\.0\.1:\d+)\s/.exec(output)
        if (found?.[1] !== undefined) resolve(found[1])
      })
    }
    child.once('error', reject)
    child.once('close', (code) => reject(new Error(`it ended with ${code}:\n${output}`)))
  })
  const server = serverOf(child, url, Number(new URL(url).port), async () => {})
  return { ...server, output: () => output }
}

/** The same with the alert service in a cluster. */
export function launchApi({ storage, folder, flags = [] }: ApiOptions): Promise<Server> {
  const config = { storage, alerts: { config: alertmanagerConfig, cluster: {} } }
  return launchConfig(config, { folder, flags: ['--listen', '127.0.0.1:0', ...flags] })
}

/**
 * The same, and waits until it is ready.
 *
 * @throws {Error} with the output if it ends first, or is not ready within 20 s.
 */
export async function startApi(options: ApiOptions): Promise<Server> {
  const server = await launchApi(options)
  await whenReady(server)
  return server
}

/**
 * Starts several processes at once.
 *
 * @throws {Error} if one does not start; the others are stopped then.
 */
export async function startApis(count: number, options: ApiOptions): Promise<Server[]> {
  const starts = await Promise.allSettled(Array.from({ length: count }, () => startApi(options)))
  const servers = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  const failed = starts.find((start) => start.status === 'rejected')
  if (failed === undefined) return servers
  await Promise.all(servers.map((server) => server.stop()))
  throw failed.reason
}
