import type {
  Command,
  CommandListener,
  CommandResult,
  OutputStream,
  RunningCommand,
} from '../command.ts'
import { createOutputRecorder } from '../output/output-recorder.ts'
import { drainOutputs } from '../output/read-output.ts'
import { endSurvivors } from '../process/end-survivors.ts'
import { exitStatus } from '../process/exit-status.ts'
import { processesCarrying } from '../process/run-family.ts'
import { type OutputPipe, type PipeContent, readPipeToEnd, watchPipe } from './output-pipe.ts'
import { createRunSignals, type RunSignals } from './run-signals.ts'

/** A command that a launcher was told to run. */
export interface LaunchedRun {
  readonly running: RunningCommand
  /** The shell has said with which status the command ended; it has written so many bytes into its errors. */
  finish(status: number, written: number): void
  /** The launcher is gone, and nobody will say what became of the command. */
  lose(error: Error): void
}

/** Options of {@link createLaunchedRun}. */
export interface LaunchedRunOptions {
  readonly command: Command
  readonly listener: CommandListener
  /** The process of the launcher. */
  readonly launcher: number
  readonly pipes: Readonly<Record<OutputStream, OutputPipe>>
  /** Called once the launcher has nothing more to do with it, and whether it may run another. */
  readonly onEnd: (isClean: boolean) => void
}

const streams = ['stdout', 'stderr'] as const

/** The output of a command is read when it ends; that of one that takes longer, while it comes. In ms. */
const watchAfterMs = 25

/** Reads what a command writes, and settles with what its launcher says of its end. */
export function createLaunchedRun(options: LaunchedRunOptions): LaunchedRun {
  const { command, listener, launcher, pipes, onEnd } = options
  const recorder = createOutputRecorder(command, listener)
  /** Few commands are signalled. */
  let signals: RunSignals | undefined
  let hasFinished = false
  let settle = (_: CommandResult): void => {}
  let fail = (_: Error): void => {}
  const ended = new Promise<CommandResult>((resolve, reject) => {
    settle = resolve
    fail = reject
  })
  // Whoever asks is told; that nobody has asked yet is no reason to end the process.
  ended.catch(() => {})

  const record = (stream: OutputStream, bytes: Uint8Array): boolean => {
    if (bytes.length > 0) void recorder.record(stream, bytes)
    return bytes.length > 0
  }
  const watch = watchPipe(() => {
    const found = streams.map((stream) => record(stream, pipes[stream].read().bytes))
    return found.includes(true)
  }, watchAfterMs)

  /** Waits for those who hold the pipes, and for those whom a signal should have ended. */
  const wait = async (held: readonly OutputStream[]): Promise<void> => {
    const readers = held.map((stream) =>
      readPipeToEnd(pipes[stream], (bytes) => void record(stream, bytes)),
    )
    const haveEnded = await drainOutputs(readers)
    if (signals !== undefined) await endSurvivors(signals.processes)
    // Whoever still holds a pipe would write into what the next command writes.
    onEnd(haveEnded && signals === undefined)
  }

  const stop = (): void => {
    hasFinished = true
    watch.stop()
    signals?.stop()
  }

  return {
    running: {
      ended,
      signal(name) {
        if (hasFinished) return
        signals ??= createRunSignals(launcher, command.env.GATEHOUSE_RUN_ID)
        signals.send(name)
      },
    },

    finish(status, written) {
      stop()
      const { exitCode, signal, fromShell } = exitStatus(status, written)
      const last: Record<OutputStream, PipeContent> = {
        stdout: pipes.stdout.read(),
        stderr: pipes.stderr.read(),
      }
      // The end of the errors is what the shell has written, all of it unless some was read just before.
      const { bytes } = last.stderr
      const length = Math.max(0, bytes.length - fromShell)
      record('stdout', last.stdout.bytes)
      record('stderr', bytes.subarray(0, length))
      const early = fromShell - (bytes.length - length)
      const result = (): CommandResult => ({
        exitCode,
        signal,
        stdout: recorder.captured('stdout'),
        stderr: recorder.captured('stderr', early),
      })
      const held = streams.filter((stream) => !last[stream].hasEnded)
      if (held.length > 0 || signals !== undefined) {
        void wait(held).then(() => settle(result()))
        return
      }
      onEnd(true)
      settle(result())
    },

    lose(error) {
      stop()
      const { GATEHOUSE_RUN_ID: runId } = command.env
      if (runId !== undefined) processesCarrying(runId).signal('SIGKILL')
      onEnd(false)
      fail(error)
    },
  }
}
