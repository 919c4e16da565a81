import { type Failure, storyLine } from '../simulation/run.ts'

/** What happened in a world, and what should not have. */
export interface Story {
  readonly failures: readonly Failure[]
  /** @param about the group, run or process that it is about. */
  note(about: string, text: string): void
  fail(property: string, detail: string): void
  /** All that happened, one line each, in the order of time. */
  tell(): string
}

/** A {@link Story} that begins now. */
export function createStory(): Story {
  const begunAt = performance.now()
  const lines: string[] = []
  const failures: Failure[] = []
  const note = (about: string, text: string): void => {
    lines.push(storyLine(performance.now() - begunAt, `${about}: ${text}`))
  }
  return {
    failures,
    note,
    fail(property, detail) {
      failures.push({ property, detail })
      note('failure', `${property}: ${detail}`)
    },
    tell: () => lines.join('\n'),
  }
}
