import type { Clock, Instant } from '../clock.ts'
import { checkWorkdir, type FoundProgram, findProgram } from './program.ts'

/** Where programs were found of late, so that not every run looks for its own. */
export interface FoundPrograms {
  /**
   * A program and the folder it shall run in, as {@link findProgram} and {@link checkWorkdir} see them. Whoever looks for the same
   * is answered in the order of the calls.
   */
  find(command: string, workdir: string, path: string | undefined): Promise<FoundProgram>
}

/** For so long a program counts as still there; one that is missing is looked for each time. */
const trustMs = 1_000
/** A PATH may come from requests. */
const mostKept = 1_000

/** What is known of a program. */
interface Look {
  readonly found: Promise<FoundProgram>
  /** Until when it counts; it does as long as nobody knows yet. */
  until: Instant
}

/** {@link FoundPrograms} that have found nothing yet. */
export function createFoundPrograms(clock: Pick<Clock, 'now'>): FoundPrograms {
  const looks = new Map<string, Look>()

  const look = async (...[command, workdir, path]: Parameters<FoundPrograms['find']>) => {
    const problem = await checkWorkdir(workdir)
    return problem === undefined ? findProgram(command, workdir, path) : { problem }
  }

  return {
    find(command, workdir, path) {
      const key = JSON.stringify([command, workdir, path])
      const known = looks.get(key)
      if (known !== undefined && clock.now() < known.until) return known.found
      if (looks.size >= mostKept) looks.clear()
      const found = look(command, workdir, path)
      const made: Look = { found, until: Number.POSITIVE_INFINITY }
      looks.set(key, made)
      const settle = (until: Instant): void => {
        made.until = until
      }
      found.then(
        (program) => settle('problem' in program ? 0 : clock.now() + trustMs),
        () => settle(0),
      )
      return found
    },
  }
}
