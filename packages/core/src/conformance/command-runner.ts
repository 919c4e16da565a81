import { describe } from 'vitest'
import { describeEnds } from './command-runner/ends.ts'
import type { CommandRunnerFactory } from './command-runner/harness.ts'
import { describeOutput } from './command-runner/output.ts'
import { describeStarting } from './command-runner/starting.ts'
import { describeWords } from './command-runner/words.ts'

/**
 * Tests the promises of the interface `CommandRunner`. Call it in a vitest test file, on a system with `/bin/sh` and the POSIX
 * programs.
 *
 * @param create creates a runner. It is called before each test, which closes the runner.
 */
export function describeCommandRunner(name: string, create: CommandRunnerFactory): void {
  describe(`the command runner ${name}`, () => {
    describe('starting', () => describeStarting(create))
    describe('words and variables', () => describeWords(create))
    describe('input and output', () => describeOutput(create))
    describe('ends and signals', () => describeEnds(create))
  })
}
