import type { FoundProgram } from './program/program.ts'

/** A program to run, once: nothing of it is read by a shell unless `program` is one. */
export interface Command {
  /** Absolute path of the program. */
  readonly program: string
  /** What follows the program in its argument list. */
  readonly args: readonly string[]
  /** Absolute path of the folder it runs in. */
  readonly workdir: string
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>
  /** What it reads; `undefined` for the null device. */
  readonly stdin: Uint8Array | undefined
  /** How many bytes of each of its two outputs are kept. */
  readonly outputBytes: number
  /** Which end of an output is kept. */
  readonly outputKeep: 'head' | 'tail'
  /** Whether processes it has left behind are killed once it has ended. */
  readonly killLeftovers: boolean
  /** Whether its output is read as it comes, by a reader that may be slow. */
  readonly live: boolean
}

/** One of the two outputs. */
export type OutputStream = 'stdout' | 'stderr'

/** What is kept of an output. */
export interface CapturedOutput {
  /** What was kept, at most as many bytes as were asked for. */
  readonly bytes: Uint8Array
  /** How many bytes the command wrote. */
  readonly total: number
}

/** Who follows a command. Listeners do not throw. */
export interface CommandListener {
  /**
   * Called with each piece of output. For a command that is `live` nothing more is read while the answered promise is
   * pending, so that a command with a slow reader waits.
   */
  onOutput?(stream: OutputStream, chunk: Uint8Array): void | Promise<void>
  /** Called once, when an output grows over what is kept of it. */
  onOverflow?(stream: OutputStream): void
}

/** How a command ended. */
export interface CommandResult {
  /** Its exit status; 128 and the number of the signal where one killed it. */
  readonly exitCode: number
  /** The name of the signal that killed it, as `SIGTERM`. */
  readonly signal: string | null
  readonly stdout: CapturedOutput
  readonly stderr: CapturedOutput
}

/** A command that is running. */
export interface RunningCommand {
  /**
   * Settles when its leader has ended and what it had written is read. Rejects only if what becomes of it cannot be
   * known (its launcher was killed from outside).
   */
  readonly ended: Promise<CommandResult>
  /**
   * Signals every process of the command that has not ended. Does nothing once the leader has. What a signalled command
   * leaves behind is killed within 250 ms of its end.
   */
  signal(name: 'SIGTERM' | 'SIGKILL'): void
}

/** A command that could not be started: nothing of it ran. */
export interface CommandNotStarted {
  readonly problem: string
}

/**
 * Runs commands. Every command runs in a session apart from this process, is signalled with all its processes, gets the
 * environment it is given and no descriptor but its three streams. `start` never throws for what a command may hold.
 */
export interface CommandRunner {
  /** Settles once the process is there, or cannot be. */
  start(
    command: Command,
    listener?: CommandListener,
  ): Promise<{ readonly running: RunningCommand } | CommandNotStarted>
  /**
   * Finds the program of a command, and says in `prefix` what comes before its arguments. With a slash in it, `command` counts from
   * `workdir`; else it is searched in `path`, a list as `PATH` holds it (default: on the disk of this machine).
   */
  find?(command: string, workdir: string, path: string | undefined): Promise<FoundProgram>
  /** Ends what the runner holds beside running commands. */
  close(): Promise<void>
}
