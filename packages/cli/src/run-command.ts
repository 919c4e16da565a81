import { badUsage } from './config/exit-codes.ts'
import { failureLines } from './config/failure.ts'
import { paintProblem } from './log/color.ts'
import { writeErrorLine } from './log/line-writer.ts'

/** Prints problems to standard error, one per line. */
export function printFailure(error: unknown): void {
  for (const line of failureLines(error)) writeErrorLine(`${paintProblem(line)}\n`)
}

/**
 * Runs a command and exits the program with its exit code. An error is printed.
 *
 * @param failure the exit code after an error. Commands of Alertmanager and amtool have only one, which is 1.
 */
export async function runCommand(
  command: () => Promise<number>,
  failure: number = badUsage,
): Promise<never> {
  let exitCode = failure
  try {
    exitCode = await command()
  } catch (error) {
    printFailure(error)
  }
  process.exit(exitCode)
}
