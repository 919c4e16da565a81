import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { alertmanagerBinary, pathOf } from '../../../../test-support/binaries.ts'
import { freePort } from '../../../../test-support/free-port.mjs'
import { until } from './poll.ts'

/** How a process ended. */
export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A process that serves HTTP on 127.0.0.1. */
export interface Server {
  /** `http://127.0.0.1:PORT`, with the path prefix if the server was given one. */
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Its last output on stdout and stderr. */
  output(): string
  /** Sends a signal without waiting. */
  kill(signal: NodeJS.Signals): void
  /** Resolves when the process has exited. */
  readonly exited: Promise<Exit>
  /** Stops the process (SIGKILL after 10 s) and removes the folder made for it. */
  stop(): Promise<Exit>
}

/** Options of {@link startAlertmanager} and {@link startGatehouse}. */
export interface ServerOptions {
  /** The text of alertmanager.yml. */
  config: string
  /** More flags. */
  flags?: readonly string[]
  /** The folder of its configuration and data. Default: a new one, removed by stop(). */
  folder?: string
  /** The prefix of all its paths (default none). */
  prefix?: string
}

const gatehouseMain = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** A new folder for one test. The caller removes it. */
export function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'gatehouse-test-'))
}

/** The real Alertmanager, without a cluster. */
export function startAlertmanager(options: ServerOptions): Promise<Server> {
  return startServer(pathOf(alertmanagerBinary), [], options)
}

/**
 * The built `gatehouse alertmanager`, with the same flags as Alertmanager.
 *
 * @throws {Error} if packages/cli is not built.
 */
export function startGatehouse(options: ServerOptions): Promise<Server> {
  return startServer(process.execPath, gatehouseArguments(), options)
}

/** The arguments before the flags when Node.js runs the built program. */
function gatehouseArguments(): readonly string[] {
  if (!existsSync(gatehouseMain)) {
    throw new Error(
      'packages/cli/dist/main.js is missing: these tests start the built program, so run `npm run build` (or `npm test`, which builds) first',
    )
  }
  return [gatehouseMain, 'alertmanager']
}

async function startServer(
  program: string,
  leading: readonly string[],
  options: ServerOptions,
): Promise<Server> {
  const { config, flags = [], prefix = '' } = options
  const folder = options.folder ?? (await temporaryFolder())
  const file = join(folder, 'alertmanager.yml')
  await writeFile(file, config)
  const port = await freePort()
  const child = spawn(
    program,
    [
      ...leading,
      `--config.file=${file}`,
      `--storage.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
      ...flags,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const server = serverOf(child, `http://127.0.0.1:${port}${prefix}`, port, async () => {
    if (options.folder === undefined) await rm(folder, { recursive: true, force: true })
  })
  await whenReady(server)
  return server
}

/**
 * Waits until a server is ready by `/-/ready`, and stops it if that takes too long.
 *
 * @throws {Error} with the server's output if it exits first or takes longer than 20 s.
 */
export async function whenReady(server: Server): Promise<void> {
  let ended = false
  server.exited.then(
    () => {
      ended = true
    },
    () => {
      ended = true
    },
  )
  try {
    await until(
      `${server.url} is ready`,
      async () => ended || (await isReady(server.url)) || undefined,
    )
    if (ended) throw new Error('the server ended before it was ready')
  } catch (cause) {
    const output = server.output()
    await server.stop()
    throw new Error(`the server did not start:\n${output}`, { cause })
  }
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/-/ready`)
  await response.arrayBuffer()
  return response.ok
}

/** Wraps a child process that will serve HTTP at `url`. */
export function serverOf(
  child: ChildProcess,
  url: string,
  port: number,
  cleanUp: () => Promise<void>,
): Server {
  let output = ''
  const keep = (chunk: Buffer): void => {
    output = `${output}${chunk.toString('utf8')}`.slice(-20_000)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
    child.once('error', (error) => {
      output += error.message
      resolve({ code: null, signal: null })
    })
  })
  return {
    url,
    port,
    pid: child.pid ?? -1,
    output: () => output,
    kill: (signal) => {
      child.kill(signal)
    },
    exited,
    async stop() {
      child.kill('SIGTERM')
      const giveUp = setTimeout(() => child.kill('SIGKILL'), 10_000)
      const exit = await exited
      clearTimeout(giveUp)
      await cleanUp()
      return exit
    },
  }
}
