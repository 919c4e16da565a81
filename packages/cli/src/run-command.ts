import { failureLines } from './config/failure.ts'
import { writeErrorLine } from './log/line-writer.ts'

/** Prints problems to standard error, one per line. */
export function printFailure(error: unknown): void {
  for (const line of failureLines(error)) writeErrorLine(`${line}\n`)
}

/** Runs a command and exits the program with its exit code. A failure is printed and exits with 1. */
export async function runCommand(command: () => Promise<number>): Promise<never> {
  let exitCode = 1
  try {
    exitCode = await command()
  } catch (error) {
    printFailure(error)
  }
  process.exit(exitCode)
}
