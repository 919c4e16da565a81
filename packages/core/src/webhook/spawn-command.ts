import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import type {
  Command,
  CommandListener,
  CommandNotStarted,
  CommandResult,
  CommandRunner,
  RunningCommand,
} from './command.ts'
import { type CommandProcesses, endSurvivors } from './end-survivors.ts'
import { createOutputRecorder } from './output-recorder.ts'
import { readProcessTable } from './process-table.ts'
import { checkWorkdir } from './program.ts'
import { drainOutputs, readOutput } from './read-output.ts'
import { signalNumber } from './signal-number.ts'
import { startProblem } from './start-problem.ts'

/** A runner that starts a process for each command, which leads a group of its own. */
export function createSpawnRunner(): CommandRunner {
  let isClosed = false
  return {
    async start(command, listener = {}) {
      if (isClosed) return { problem: 'the runner is closed' }
      const started = await startChild(command)
      return 'problem' in started ? started : { running: follow(started, command, listener) }
    },
    async close() {
      isClosed = true
    },
  }
}

/** A process that was started to serve this one, and does not keep it alive. */
export interface ServingProcess {
  readonly pid: number
  /** Settles once it has ended. */
  readonly exited: Promise<void>
}

/** A descriptor, or what has one. */
type Descriptor = Extract<StdioOptions, unknown[]>[number]

/** What a {@link ServingProcess} is started with. */
export interface ServingProcessOptions {
  readonly workdir: string
  readonly env: Readonly<Record<string, string>>
  /** What it reads from and writes to. What it says beside that is lost. */
  readonly stdin: Descriptor
  readonly stdout: Descriptor
}

/** Starts a program that leads a group of its own; `undefined` if it cannot be started. */
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
    // Told again by the missing number of the process.
    child.on('error', () => {})
    child.unref()
    return child.pid === undefined ? undefined : { pid: child.pid, exited }
  } catch {
    return undefined
  }
}

/** A child that has a process. */
interface StartedChild {
  readonly child: ChildProcess
  readonly pid: number
}

async function startChild(command: Command): Promise<StartedChild | CommandNotStarted> {
  try {
    const child = spawn(command.program, command.args, {
      cwd: command.workdir,
      env: exactly(command.env),
      detached: true,
      stdio: [command.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    if (child.pid !== undefined) return { child, pid: child.pid }
    return await new Promise((_, reject) => {
      child.once('error', reject)
    })
  } catch (error) {
    // The system says of a folder that is missing that the program is.
    return { problem: (await checkWorkdir(command.workdir)) ?? startProblem(error) }
  }
}

/** An environment that Node adds nothing to, be it inherited by objects or by processes. */
function exactly(env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return Object.assign(Object.create(null), { NODE_V8_COVERAGE: undefined }, env)
}

function follow(
  { child, pid }: StartedChild,
  command: Command,
  listener: CommandListener,
): RunningCommand {
  const recorder = createOutputRecorder(command, listener)
  const readers = (['stdout', 'stderr'] as const).flatMap((stream) => {
    const source = child[stream]
    return source === null
      ? []
      : [readOutput(source, (chunk: Uint8Array) => recorder.record(stream, chunk))]
  })
  // Whether a command reads what it is given is its own affair.
  child.stdin?.on('error', () => {})
  child.stdin?.end(command.stdin)
  const processes = groupOf(pid)
  let hasEnded = false
  let wasSignalled = false

  const exited = new Promise<Pick<CommandResult, 'exitCode' | 'signal'>>((resolve) => {
    child.once('exit', (code, signal) => {
      hasEnded = true
      resolve({ exitCode: code ?? 128 + signalNumber(signal ?? ''), signal })
    })
  })
  const end = async (): Promise<CommandResult> => {
    const { exitCode, signal } = await exited
    if (command.killLeftovers) processes.signal('SIGKILL')
    await drainOutputs(readers)
    if (wasSignalled) await endSurvivors(processes)
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

/** The group a process leads, or has led: its number is not given anew while one of the group is there. */
function groupOf(leader: number): CommandProcesses {
  const send = (signal: NodeJS.Signals | 0): boolean => {
    try {
      return process.kill(-leader, signal)
    } catch {
      // There is none left, or none that this process may signal.
      return false
    }
  }
  const exist = (): boolean => {
    if (!send(0)) return false
    // What waits for its parent to notice its end can still be signalled.
    const table = readProcessTable()
    return table.length === 0 || table.some((one) => one.group === leader && !one.hasEnded)
  }
  return { exist, signal: send }
}
