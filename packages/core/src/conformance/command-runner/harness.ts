import { afterEach, beforeEach } from 'vitest'
import type {
  Command,
  CommandListener,
  CommandResult,
  CommandRunner,
  RunningCommand,
} from '../../webhook/runner/command.ts'

/** Creates a runner. It is called before each test, which closes the runner. */
export type CommandRunnerFactory = () => CommandRunner | Promise<CommandRunner>

/** The result of a command, with its output as text. */
export interface Outcome extends Omit<CommandResult, 'stdout' | 'stderr'> {
  readonly stdout: string
  readonly stderr: string
}

/** The runner of the current test. */
export interface RunnerUnderTest {
  readonly runner: CommandRunner
  /** Returns the problem if the command does not start. */
  problemOf(command: Partial<Command>): Promise<string | undefined>
  /** Starts a command. */
  start(command: Partial<Command>, listener?: CommandListener): Promise<RunningCommand>
  /** Runs a command to its end. */
  run(command: Partial<Command>, listener?: CommandListener): Promise<CommandResult>
  /** Runs a shell script to its end. The other arguments are its parameters. */
  sh(text: string, ...parameters: readonly string[]): Promise<Outcome>
  /** Creates an empty folder, removed after the test. The path is absolute and has no symlinks. */
  folder(): Promise<string>
}

/** A command that does nothing, without arguments and environment. */
export const plainCommand: Command = {
  program: '/bin/sh',
  args: ['-c', ':'],
  workdir: '/',
  env: {},
  stdin: undefined,
  outputBytes: 1_000_000,
  outputKeep: 'head',
  killLeftovers: false,
  live: false,
}

/** A shell that runs a script. */
export function shell(text: string, ...parameters: readonly string[]): Partial<Command> {
  return { program: '/bin/sh', args: ['-c', text, 'sh', ...parameters] }
}

export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** Sets up a fresh runner for each test of the calling suite. */
export function useRunner(create: CommandRunnerFactory): RunnerUnderTest {
  let runner: CommandRunner | undefined
  const folders: string[] = []

  const current = (): CommandRunner => {
    if (runner === undefined) throw new Error('the runner exists only while a test runs')
    return runner
  }
  const start: RunnerUnderTest['start'] = async (command, listener) => {
    const started = await current().start({ ...plainCommand, ...command }, listener)
    if ('problem' in started) throw new Error(`the command did not start: ${started.problem}`)
    return started.running
  }
  const run: RunnerUnderTest['run'] = async (command, listener) =>
    (await start(command, listener)).ended
  const sh: RunnerUnderTest['sh'] = async (text, ...parameters) => {
    const result = await run({ ...shell(text, ...parameters), env: { PATH: '/usr/bin:/bin' } })
    const [stdout, stderr] = [textOf(result.stdout.bytes), textOf(result.stderr.bytes)]
    return { ...result, stdout, stderr }
  }

  beforeEach(async () => {
    runner = await create()
  })
  afterEach(async () => {
    if (folders.length > 0) await sh('rm -rf -- "$@"', ...folders.splice(0))
    await runner?.close()
  })

  return {
    get runner() {
      return current()
    },
    async problemOf(command) {
      const started = await current().start({ ...plainCommand, ...command })
      if ('problem' in started) return started.problem
      await started.running.ended
      return undefined
    },
    start,
    run,
    sh,
    async folder() {
      const { stdout } = await sh('cd "$(mktemp -d)" && pwd -P')
      const folder = stdout.trimEnd()
      folders.push(folder)
      return folder
    },
  }
}

/** Resolves once a command has written a text. */
export function waitForOutput(text: string): { listener: CommandListener; seen: Promise<void> } {
  let written = ''
  let settle = (): void => {}
  const seen = new Promise<void>((resolve) => {
    settle = resolve
  })
  const onOutput = (_: string, chunk: Uint8Array): void => {
    written += textOf(chunk)
    if (written.includes(text)) settle()
  }
  return { listener: { onOutput }, seen }
}
