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

/** A command that a launcher runs. */
export interface LaunchedRun {
  readonly running: RunningCommand
  /** The shell reported the exit status of the command, and has written this many bytes to its standard error. */
  finish(status: number, written: number): void
  /** The launcher is gone, so the result of the command will never be known. */
  lose(error: Error): void
}

/** Options of {@link createLaunchedRun}. */
export interface LaunchedRunOptions {
  readonly command: Command
  readonly listener: CommandListener
  /** The process of the launcher. */
  readonly launcher: number
  readonly pipes: Readonly<Record<OutputStream, OutputPipe>>
  /** Called once the launcher is done with it; `isClean` if it may run another command. */
  readonly onEnd: (isClean: boolean) => void
}

const streams = ['stdout', 'stderr'] as const

/** Output is read when the command ends; for a command that takes longer than this, while it arrives. In ms. */
const watchAfterMs = 25

/** Reads the output of a command, and settles with the result that its launcher reports. */
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
  // Callers see the rejection. Without a caller it must not crash the process.
  ended.catch(() => {})

  const record = (stream: OutputStream, bytes: Uint8Array): boolean => {
    if (bytes.length > 0) void recorder.record(stream, bytes)
    return bytes.length > 0
  }
  const watch = watchPipe(() => {
    const found = streams.map((stream) => record(stream, pipes[stream].read().bytes))
    return found.includes(true)
  }, watchAfterMs)

  /** Waits for processes that hold the pipes, and for those that a signal should have ended. */
  const wait = async (held: readonly OutputStream[]): Promise<void> => {
    const readers = held.map((stream) =>
      readPipeToEnd(pipes[stream], (bytes) => void record(stream, bytes)),
    )
    const haveEnded = await drainOutputs(readers)
    if (signals !== undefined) await endSurvivors(signals.processes)
    // A process that still holds a pipe would write into the output of the next command.
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
      // The end of standard error is the shell's own text, complete unless part of it was read before.
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
