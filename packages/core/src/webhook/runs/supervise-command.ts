import type { Clock } from '../../time/clock.ts'
import type { CommandListener, CommandRunner, RunningCommand } from '../runner/command.ts'
import type { Webhook } from '../webhook.ts'
import type { CommandOutcome, EndCause } from './run-progress.ts'

/** Options of {@link superviseCommand}. */
export interface SuperviseOptions {
  readonly clock: Clock
  /** Starts the command. Settles once it is there, or cannot be; never rejects. */
  readonly start: (listener: CommandListener) => ReturnType<CommandRunner['start']>
  readonly webhook: Pick<Webhook, 'timeout' | 'kill_grace' | 'on_output_limit'>
  readonly onOutput: NonNullable<CommandListener['onOutput']>
  /** Told why it could not be started, or why what became of it is not known. */
  readonly onProblem: (problem: string) => void
}

/** A command that is kept within its limits. */
export interface SupervisedCommand {
  /** Whether there is a process. Never rejects. */
  readonly started: Promise<boolean>
  /** What became of it. Never rejects. */
  readonly outcome: Promise<CommandOutcome>
  /**
   * Ends it: by a polite signal, and by force after `graceMs` (default the `kill_grace` of its webhook). The first cause
   * counts; a later call can only bring the force forward.
   */
  end(cause: EndCause, graceMs?: number): void
}

/** Starts a command and ends it when its time is over, or when it writes more than it may. */
export function superviseCommand(options: SuperviseOptions): SupervisedCommand {
  const { clock, webhook, onOutput, onProblem } = options
  const { timeout, kill_grace, on_output_limit } = webhook
  let cause: EndCause | undefined
  let running: RunningCommand | undefined
  let hasEnded = false
  /** When it is ended by force, by the monotonic clock. */
  let forcedAt = Number.POSITIVE_INFINITY
  let cancelTimeout = (): void => {}
  let cancelForce = (): void => {}

  /** Sends the signals that are due, and sees to those that are not. */
  const signal = (): void => {
    cancelForce()
    const leftMs = forcedAt - clock.monotonic()
    if (leftMs <= 0) running?.signal('SIGKILL')
    else cancelForce = clock.setTimer(leftMs, () => running?.signal('SIGKILL'))
  }

  const end = (wanted: EndCause, graceMs: number = kill_grace): void => {
    if (hasEnded) return
    const isFirst = cause === undefined
    cause ??= wanted
    const wantedAt = clock.monotonic() + graceMs
    if (!isFirst && wantedAt >= forcedAt) return
    forcedAt = wantedAt
    if (running === undefined) return
    if (isFirst) running.signal('SIGTERM')
    signal()
  }

  const listener: CommandListener = {
    onOutput,
    ...(on_output_limit === 'kill' ? { onOverflow: () => end('output_limit') } : {}),
  }

  const follow = async (command: RunningCommand): Promise<CommandOutcome> => {
    running = command
    if (cause !== undefined) {
      command.signal('SIGTERM')
      signal()
    }
    if (timeout !== undefined) cancelTimeout = clock.setTimer(timeout, () => end('timed_out'))
    try {
      return { kind: 'ended', result: await command.ended, cause }
    } catch (error) {
      onProblem(String(error))
      return { kind: 'vanished', cause }
    } finally {
      hasEnded = true
      cancelTimeout()
      cancelForce()
    }
  }

  const starting = options.start(listener)
  const outcome = starting.then((result): CommandOutcome | Promise<CommandOutcome> => {
    if ('running' in result) return follow(result.running)
    hasEnded = true
    onProblem(result.problem)
    return cause === undefined ? { kind: 'not_started' } : { kind: 'dropped', cause }
  })
  return { started: starting.then((result) => 'running' in result), outcome, end }
}
