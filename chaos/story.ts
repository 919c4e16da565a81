import { type Failure, storyLine } from '../simulation/run.ts'

/** The log of a world, and the properties that failed in it. */
export interface Story {
  readonly failures: readonly Failure[]
  /** @param about the group, run or process of the line. */
  note(about: string, text: string): void
  fail(property: string, detail: string): void
  /** The whole log in order of time, one line each. */
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
