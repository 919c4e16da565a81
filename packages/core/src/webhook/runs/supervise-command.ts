import { errorText } from '../../errors.ts'
import type { Clock } from '../../time/clock.ts'
import type { CommandOutcome, EndCause } from '../board/run-progress.ts'
import type { CommandListener, CommandRunner, RunningCommand } from '../runner/command.ts'
import type { Webhook } from '../webhook.ts'

/** Options of {@link superviseCommand}. */
export interface SuperviseOptions {
  readonly clock: Clock
  /** Starts the command. Settles once it has started or failed to; never rejects. */
  readonly start: (listener: CommandListener) => ReturnType<CommandRunner['start']>
  readonly webhook: Pick<Webhook, 'timeout' | 'kill_grace' | 'on_output_limit'>
  readonly onOutput: NonNullable<CommandListener['onOutput']>
  /** Called with the reason if it could not be started, or if its result is unknown. */
  readonly onProblem: (problem: string) => void
}

/** A command with its limits enforced. */
export interface SupervisedCommand {
  /** Whether it has a process. Never rejects. */
  readonly started: Promise<boolean>
  /** Its result. Never rejects. */
  readonly outcome: Promise<CommandOutcome>
  /**
   * Ends it: with SIGTERM, and SIGKILL after `graceMs` (default the `kill_grace` of its webhook). The first cause counts; a later
   * call can only make SIGKILL come sooner.
   */
  end(cause: EndCause, graceMs?: number): void
}

/** Starts a command, and ends it at its timeout or if it writes too much. */
export function superviseCommand(options: SuperviseOptions): SupervisedCommand {
  const { clock, webhook, onOutput, onProblem } = options
  const { timeout, kill_grace, on_output_limit } = webhook
  let cause: EndCause | undefined
  let running: RunningCommand | undefined
  let hasEnded = false
  /** The monotonic time of SIGKILL. */
  let forcedAt = Number.POSITIVE_INFINITY
  let cancelTimeout = (): void => {}
  let cancelForce = (): void => {}

  /** Sends due signals, and sets a timer for the others. */
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
      onProblem(errorText(error))
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
    if (cause !== undefined) return { kind: 'dropped', cause }
    return { kind: 'not_started', problem: result.problem }
  })
  return { started: starting.then((result) => 'running' in result), outcome, end }
}
