import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { optionsOf } from '../account.ts'
import { type ListedProcess, listProcesses } from '../process-list.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'

/** A running PostgreSQL: its first process, which starts the others. */
export interface Postmaster {
  /** Sends SIGINT, which closes open connections and writes everything. Waits for the end. */
  shutDown(): Promise<void>
  /** Kills all its processes at once, without a last write, and waits until they are gone. */
  kill(): Promise<void>
  /** Stops all its processes with SIGSTOP. */
  pause(): Promise<void>
  resume(): Promise<void>
}

/** Options of {@link startPostmaster}. */
export interface PostmasterOptions {
  readonly binaries: PostgresBinaries
  readonly dataFolder: string
  readonly port: number
  /** Whether a commit waits until it is on the disk. Only a machine that fails, not a program that is killed, loses it otherwise. */
  readonly syncs: boolean
  /** Called with the pid as soon as the process exists. */
  readonly onSpawn: (pid: number) => void
}

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  fsync: 'on',
  synchronous_commit: 'on',
  lc_messages: 'C',
}

/** For short queries of tests. */
const fast = { fsync: 'off', jit: 'off' }

const readyLine = 'database system is ready to accept connections'

/** Starts PostgreSQL on its data, and waits until it accepts connections. */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const { binaries, dataFolder, port } = options
  const flags = Object.entries({ ...settings, ...(options.syncs ? {} : fast) }).flatMap(
    ([name, value]) => ['-c', `${name}=${value}`],
  )
  const child = spawn(
    join(binaries.folder, 'bin', 'postgres'),
    ['-D', dataFolder, '-p', `${port}`, ...flags],
    { ...optionsOf(binaries.account), stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  )
  const ended = new Promise<void>((resolve) => {
    child.on('error', () => resolve()).on('exit', () => resolve())
  })
  const { pid } = child
  if (pid !== undefined) options.onSpawn(pid)
  await isReady(child)
  if (pid === undefined) throw new Error('PostgreSQL is ready but has no pid')
  return controlsOf(child, pid, ended)
}

/** @throws {Error} with the end of the log if it ends before it is ready. */
function isReady(child: ChildProcess): Promise<void> {
  let log = ''
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => reject(new Error(`PostgreSQL ended with ${code}:\n${log}`)))
    // Read to the end, since PostgreSQL blocks when its log is not read.
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      log = (log + chunk).slice(-10_000)
      if (log.includes(readyLine)) resolve()
    })
  })
}

function controlsOf(child: ChildProcess, pid: number, ended: Promise<void>): Postmaster {
  /** Once PostgreSQL has ended, another process may have the pid. */
  const signal = (one: number, name: NodeJS.Signals): void => {
    if (child.exitCode === null && child.signalCode === null) sendSignal(one, name)
  }
  /** Stops the first process first, so that it starts no others meanwhile. */
  const pause = async (): Promise<readonly number[]> => {
    signal(pid, 'SIGSTOP')
    await until((processes) => processes.every((one) => one.pid !== pid || one.state === 'T'))
    const others = await childrenOf(pid)
    for (const one of others) signal(one, 'SIGSTOP')
    return others
  }
  const resume = async (): Promise<void> => {
    for (const one of await childrenOf(pid)) signal(one, 'SIGCONT')
    signal(pid, 'SIGCONT')
  }

  return {
    async pause() {
      await pause()
    },
    resume,
    async shutDown() {
      signal(pid, 'SIGINT')
      await resume()
      await ended
    },
    async kill() {
      const others = await pause()
      for (const one of [...others, pid]) signal(one, 'SIGKILL')
      await ended
      await until((processes) => !processes.some((one) => others.includes(one.pid) && isAlive(one)))
    },
  }
}

const isAlive = ({ state }: ListedProcess): boolean => state !== 'Z' && state !== 'X'

async function until(condition: (processes: readonly ListedProcess[]) => boolean): Promise<void> {
  while (!condition(await listProcesses())) await new Promise((resolve) => setTimeout(resolve, 10))
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  return (await listProcesses()).filter(({ parent }) => parent === pid).map((one) => one.pid)
}

/** Ignores a process that has already ended. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
