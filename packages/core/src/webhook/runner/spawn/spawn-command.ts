import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import type {
  Command,
  CommandListener,
  CommandNotStarted,
  CommandResult,
  CommandRunner,
  OutputStream,
  RunningCommand,
} from '../command.ts'
import { createOutputRecorder } from '../output/output-recorder.ts'
import { drainOutputs, type OutputSource, readOutput } from '../output/read-output.ts'
import { type CommandPipe, createPipeStock, type PipeStock } from '../pipes/pipe-stock.ts'
import { type CommandProcesses, endSurvivors } from '../process/end-survivors.ts'
import { impliedSignal } from '../process/exit-status.ts'
import { readProcessTable } from '../process/process-table.ts'
import { createRunFamily, signalProcess } from '../process/run-family.ts'
import { signalNumber } from '../process/signal-number.ts'
import { startProblem } from '../process/start-problem.ts'
import { checkWorkdir } from '../program/program.ts'
import { type NamelessFile, writeNamelessFile } from './nameless-file.ts'

/** Options of {@link createSpawnRunner}. */
export interface SpawnRunnerOptions {
  /** The parent of the private folder for the pipes of commands (default `/dev/shm`, else `/tmp`). */
  folder?: string
}

/**
 * Creates a runner that starts a process for each command, in a process group of its own. Outputs are pipes, or sockets if the
 * system has no program `mkfifo`; the input is a file.
 */
export function createSpawnRunner({ folder }: SpawnRunnerOptions = {}): CommandRunner {
  const folders = folder === undefined ? ['/dev/shm', '/tmp'] : [folder]
  let stock: PipeStock | undefined
  let isClosed = false
  return {
    async start(command, listener = {}) {
      if (isClosed) return { problem: 'the runner is closed' }
      stock ??= createPipeStock({ parents: folders, run: runQuietly })
      const started = await startChild(command, { stock, folders })
      return 'problem' in started ? started : { running: follow(started, command, listener) }
    },
    async close() {
      isClosed = true
      stock?.close()
    },
  }
}

/** A helper process, which does not keep this process alive. */
export interface ServingProcess {
  readonly pid: number
  /** Settles once it has ended. */
  readonly exited: Promise<void>
}

/** A descriptor, or an object with one. */
type Descriptor = Extract<StdioOptions, unknown[]>[number]

/** Options of {@link startServingProcess}. */
export interface ServingProcessOptions {
  readonly workdir: string
  readonly env: Readonly<Record<string, string>>
  /** Its input and output. Its standard error is discarded. */
  readonly stdin: Descriptor
  readonly stdout: Descriptor
}

/** Starts a program in a process group of its own; `undefined` if it cannot be started. */
export async function startServingProcess(
  program: string,
  args: readonly string[],
  { workdir, env, stdin, stdout }: ServingProcessOptions,
): Promise<ServingProcess | undefined> {
  try {
    const child = spawn(program, args, {
      cwd: workdir,
      env: exactly(env),
      detached: true,
      stdio: [stdin, stdout, 'ignore'],
    })
    const exited = new Promise<void>((resolve) => {
      child.once('exit', () => resolve())
    })
    // The missing process number shows the failure, too.
    child.on('error', () => {})
    child.unref()
    return child.pid === undefined ? undefined : { pid: child.pid, exited }
  } catch {
    return undefined
  }
}

/** Runs a program without input and output to its end; ignores its result. */
export async function runQuietly(program: string, args: readonly string[]): Promise<void> {
  const env = { PATH: '/usr/bin:/bin' }
  await new Promise<void>((resolve) => {
    try {
      const child = spawn(program, args, { cwd: '/', env: exactly(env), stdio: 'ignore' })
      child.once('error', () => resolve())
      child.once('exit', () => resolve())
    } catch {
      resolve()
    }
  })
}

/** A child with a process, and the sources of its outputs. */
interface StartedChild {
  readonly pid: number
  readonly outputs: readonly (readonly [OutputStream, OutputSource])[]
  readonly exited: Promise<Exit>
}

type Exit = Pick<CommandResult, 'exitCode' | 'signal'>

/** The connections to children. */
interface Connections {
  readonly stock: PipeStock
  /** Candidate folders for inputs, the best first. */
  readonly folders: readonly string[]
}

async function startChild(
  command: Command,
  { stock, folders }: Connections,
): Promise<StartedChild | CommandNotStarted> {
  let pipes: readonly CommandPipe[] | undefined
  let input: NamelessFile | undefined
  let isStarted = false
  try {
    input = command.stdin && (await writeNamelessFile(command.stdin, folders))
    const { mergesOutputs: merges = false } = command
    pipes = await stock.take(merges ? 1 : 2)
    const [out, err = merges ? out : undefined] = pipes ?? []
    const child = spawn(command.program, command.args, {
      cwd: command.workdir,
      env: exactly(command.env),
      detached: true,
      stdio: [input?.fd ?? 'ignore', out?.writer ?? 'pipe', err?.writer ?? 'pipe'],
    })
    const [stdout, stderr] = [out?.source ?? child.stdout, err?.source ?? child.stderr]
    const { pid } = child
    if (pid === undefined || stdout === null || stderr === null) {
      return await new Promise((_, reject) => {
        child.once('error', reject)
      })
    }
    isStarted = true
    const others: StartedChild['outputs'] =
      stderr === stdout ? [] : [[merges ? 'stdout' : 'stderr', stderr]]
    return { pid, outputs: [['stdout', stdout], ...others], exited: exitOf(child) }
  } catch (error) {
    // For a missing folder, the system reports a missing program.
    return { problem: (await checkWorkdir(command.workdir)) ?? startProblem(error) }
  } finally {
    // In the turn of the start, because listeners must be attached before the outputs can end.
    for (const pipe of pipes ?? []) {
      pipe.handOver()
      if (!isStarted) pipe.source.destroy()
    }
    input?.close()
  }
}

/** Call it in the turn in which the child was started. */
function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      const exitCode = code ?? 128 + signalNumber(signal ?? '')
      resolve({ exitCode, signal: signal ?? impliedSignal(exitCode) })
    })
  })
}

/** An environment to which Node adds nothing, neither inherited properties nor variables of this process. */
function exactly(env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return Object.assign(Object.create(null), { NODE_V8_COVERAGE: undefined }, env)
}

function follow(
  { pid, outputs, exited }: StartedChild,
  command: Command,
  listener: CommandListener,
): RunningCommand {
  const recorder = createOutputRecorder(command, listener)
  const readers = outputs.map(([stream, source]) =>
    readOutput(source, (chunk: Uint8Array) => recorder.record(stream, chunk)),
  )
  const processes = processesOf(pid, command)
  let hasEnded = false
  let wasSignalled = false

  const end = async (): Promise<CommandResult> => {
    const { exitCode, signal } = await exited
    hasEnded = true
    if (command.killLeftovers) processes.signal('SIGKILL')
    await drainOutputs(readers)
    if (wasSignalled || command.killLeftovers) await endSurvivors(processes)
    const [stdout, stderr] = [recorder.captured('stdout'), recorder.captured('stderr')]
    return { exitCode, signal, stdout, stderr }
  }
  return {
    ended: end(),
    signal(name) {
      if (hasEnded) return
      wasSignalled = true
      processes.signal(name)
    },
  }
}

/** The processes of a command: the group of its main process, and processes that left the group. */
function processesOf(leader: number, { env }: Command): CommandProcesses {
  const family = createRunFamily(env.GATEHOUSE_RUN_ID, ({ group }) => group === leader)
  // The number of a group is not reused while a member exists.
  const send = (signal: NodeJS.Signals | 0): boolean => {
    try {
      return process.kill(-leader, signal)
    } catch {
      // None is left, or none that this process may signal.
      return false
    }
  }
  return {
    exist() {
      const table = readProcessTable()
      // Zombies can still be signalled, so prefer the process table, if there is one.
      return table.length === 0 ? send(0) : family.members(table).length > 0
    },
    signal(name) {
      const others = family.members(readProcessTable()).filter(({ group }) => group !== leader)
      send(name)
      for (const { pid } of others) signalProcess(pid, name)
    },
  }
}
