import type { CommandOutcome } from '../board/run-progress.ts'
import type { Retries } from '../webhook.ts'

/**
 * How long to wait before the command of a run is started again, in ms; `undefined` if it is not.
 *
 * @param attempts how many times it was started.
 */
export function retryDelay(
  retries: Retries | undefined,
  attempts: number,
  outcome: CommandOutcome,
): number | undefined {
  if (retries === undefined || attempts > retries.count) return undefined
  if (!mayBeRetried(retries, outcome)) return undefined
  return Math.min(retries.max_delay, retries.delay * 2 ** (attempts - 1))
}

/** A run that was canceled stays canceled, and a command that could not be started does not become startable. */
function mayBeRetried({ exit_codes }: Retries, outcome: CommandOutcome): boolean {
  if (outcome.kind === 'dropped' || outcome.kind === 'not_started') return false
  const { cause } = outcome
  if (cause !== undefined && cause !== 'timed_out') return false
  if (outcome.kind === 'vanished') return exit_codes === undefined
  const { exitCode, signal } = outcome.result
  const hasFailed = cause !== undefined || signal !== null || exitCode !== 0
  if (!hasFailed || exit_codes === undefined) return hasFailed
  return cause === undefined && signal === null && exit_codes.includes(exitCode)
}
