import { signalName } from './signal-number.ts'

/** The meaning of a shell's exit status for its program. */
export interface ExitStatus {
  readonly exitCode: number
  readonly signal: string | null
  /** How many bytes at the end of standard error are the shell's own. */
  readonly fromShell: number
}

const ofSignals = 128
/** SIGINT and SIGPIPE: shells do not report them. */
const silent = new Set([2, 13])

/**
 * The signal that an exit status stands for, even without a report; `null` for every other status. A launcher cannot distinguish
 * 130 and 141 from ends by SIGINT and SIGPIPE, and the results must be the same with every runner.
 */
export function impliedSignal(exitCode: number): string | null {
  return silent.has(exitCode - ofSignals) ? signalName(exitCode - ofSignals) : null
}

/**
 * A shell returns 128 plus the number of the signal for a killed program, but a program may return that status itself. The shell
 * reports a signal on standard error, so without a report there was none.
 *
 * @param written how many bytes the shell has written.
 */
export function exitStatus(status: number, written: number): ExitStatus {
  const number = status - ofSignals
  const wasKilled = number > 0 && (written > 0 || silent.has(number))
  if (!wasKilled) return { exitCode: status, signal: null, fromShell: 0 }
  return { exitCode: status, signal: signalName(number), fromShell: written }
}
