import type { FoundProgram } from './program/program.ts'

/** A program to run once. No shell reads any of it, unless `program` is one. */
export interface Command {
  /** Absolute path of the program, or what a runner's `find` returned; without `find` it is as the configuration has it. */
  readonly program: string
  /** The arguments of the program. */
  readonly args: readonly string[]
  /** Absolute path of its working directory. */
  readonly workdir: string
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>
  /** Its standard input; `undefined` for the null device. */
  readonly stdin: Uint8Array | undefined
  /** How many bytes of each of its two outputs to keep. */
  readonly outputBytes: number
  /** Which end of an output to keep. */
  readonly outputKeep: 'head' | 'tail'
  /** Whether its error output goes to its output, in the order of writing (default: no). Then `stderr` is empty. */
  readonly mergesOutputs?: boolean
  /** Whether to kill leftover processes once it has ended. */
  readonly killLeftovers: boolean
  /** Whether readers follow its output live, and may be slow. */
  readonly live: boolean
}

/** One of the two outputs. */
export type OutputStream = 'stdout' | 'stderr'

/** The kept part of an output. */
export interface CapturedOutput {
  /** At most as many bytes as requested. */
  readonly bytes: Uint8Array
  /** How many bytes the command wrote. */
  readonly total: number
}

/** Follows a command. Listeners do not throw. */
export interface CommandListener {
  /**
   * Called with each piece of output. For a `live` command, reading pauses while the returned promise is pending, so that a slow
   * reader makes the command wait.
   */
  onOutput?(stream: OutputStream, chunk: Uint8Array): void | Promise<void>
  /** Called once when an output exceeds the kept size. */
  onOverflow?(stream: OutputStream): void
}

/** How a command ended. */
export interface CommandResult {
  /** Its exit status; 128 plus the number of the signal if one killed it. */
  readonly exitCode: number
  /** The name of the signal that killed it, such as `SIGTERM`. */
  readonly signal: string | null
  readonly stdout: CapturedOutput
  readonly stderr: CapturedOutput
}

/** A command that is running. */
export interface RunningCommand {
  /**
   * Settles when its main process has ended and its output was read. Rejects only if the result cannot be known (its launcher was
   * killed from outside).
   */
  readonly ended: Promise<CommandResult>
  /**
   * Signals every process of the command. Does nothing once the main process has ended. Processes that survive a signalled
   * command are killed within 250 ms of its end.
   */
  signal(name: 'SIGTERM' | 'SIGKILL'): void
}

/** A command that could not be started. Nothing of it ran. */
export interface CommandNotStarted {
  readonly problem: string
}

/**
 * Runs commands. Every command runs in its own session, is signalled with all its processes, and gets only the given environment
 * and no descriptor but its three streams. `start` never throws for any content of a command.
 */
export interface CommandRunner {
  /** Settles once the process exists, or cannot be created. */
  start(
    command: Command,
    listener?: CommandListener,
  ): Promise<{ readonly running: RunningCommand } | CommandNotStarted>
  /**
   * Finds the program of a command, with `prefix` for words before its arguments. A `command` with a slash is relative to
   * `workdir`; any other is searched in `path`, a list in the format of `PATH` (default: the command
   * is passed on as it is written, and neither it nor its folder is looked for).
   */
  find?(command: string, workdir: string, path: string | undefined): Promise<FoundProgram>
  /** Releases what the runner holds besides running commands. */
  close(): Promise<void>
}
