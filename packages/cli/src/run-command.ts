import { failureLines } from './config/failure.ts'
import { writeErrorLine } from './log/line-writer.ts'

/** Prints what is wrong to standard error, one line each. */
export function printFailure(error: unknown): void {
  for (const line of failureLines(error)) writeErrorLine(`${line}\n`)
}

/** Runs a command to its end and ends the program with its exit code; a failure is printed and exits with 1. */
export async function runCommand(command: () => Promise<number>): Promise<never> {
  let exitCode = 1
  try {
    exitCode = await command()
  } catch (error) {
    printFailure(error)
  }
  process.exit(exitCode)
}
