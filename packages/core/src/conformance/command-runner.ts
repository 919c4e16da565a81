import { describe } from 'vitest'
import { describeEnds } from './command-runner/ends.ts'
import type { CommandRunnerFactory } from './command-runner/harness.ts'
import { describeOutput } from './command-runner/output.ts'
import { describeStarting } from './command-runner/starting.ts'
import { describeWords } from './command-runner/words.ts'

/**
 * Tests that a runner of commands keeps what the interface `CommandRunner` promises. To be called in a test file of vitest, on a
 * system with `/bin/sh` and the programs that POSIX names.
 *
 * @param create makes a runner; called before each test, which closes it.
 */
export function describeCommandRunner(name: string, create: CommandRunnerFactory): void {
  describe(`the command runner ${name}`, () => {
    describe('starting', () => describeStarting(create))
    describe('words and variables', () => describeWords(create))
    describe('input and output', () => describeOutput(create))
    describe('ends and signals', () => describeEnds(create))
  })
}
