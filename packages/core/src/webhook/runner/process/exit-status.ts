import { signalName } from './signal-number.ts'

/** What the status that a shell gives says of a program. */
export interface ExitStatus {
  readonly exitCode: number
  readonly signal: string | null
  /** How much of the end of its errors the shell has written. */
  readonly fromShell: number
}

const ofSignals = 128
/** SIGINT and SIGPIPE: a shell does not say a word about them. */
const silent = new Set([2, 13])

/**
 * The signal that an exit status counts as, though nothing says that there was one; `null` for every other status. A launcher
 * cannot tell 130 and 141 from ends by SIGINT and SIGPIPE, and results are to be the same with every runner.
 */
export function impliedSignal(exitCode: number): string | null {
  return silent.has(exitCode - ofSignals) ? signalName(exitCode - ofSignals) : null
}

/**
 * A shell gives 128 and the number of the signal for a program that one killed, as such a program might itself. Into the errors
 * it writes which signal that was; so where it has written nothing, there was none.
 *
 * @param written how many bytes the shell has written.
 */
export function exitStatus(status: number, written: number): ExitStatus {
  const number = status - ofSignals
  const wasKilled = number > 0 && (written > 0 || silent.has(number))
  if (!wasKilled) return { exitCode: status, signal: null, fromShell: 0 }
  return { exitCode: status, signal: signalName(number), fromShell: written }
}
