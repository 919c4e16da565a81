import type { Clock } from '../../time/clock.ts'
import type { CommandRunner } from '../runner/command.ts'
import { checkWorkdir, type FoundProgram, findProgram } from '../runner/program/program.ts'

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
  /** Until when it counts, by the monotonic clock; it does as long as nobody knows yet. */
  until: number
}

type Find = NonNullable<CommandRunner['find']>

/** Looks for a program on the disk of this machine. */
const findOnDisk: Find = async (command, workdir, path) => {
  const problem = await checkWorkdir(workdir)
  return problem === undefined ? findProgram(command, workdir, path) : { problem }
}

/** {@link FoundPrograms} that have found nothing yet. */
export function createFoundPrograms(
  clock: Pick<Clock, 'monotonic'>,
  look: Find = findOnDisk,
): FoundPrograms {
  const looks = new Map<string, Look>()

  return {
    find(command, workdir, path) {
      const key = JSON.stringify([command, workdir, path])
      const known = looks.get(key)
      if (known !== undefined && clock.monotonic() < known.until) return known.found
      if (looks.size >= mostKept) looks.clear()
      const found = look(command, workdir, path)
      const made: Look = { found, until: Number.POSITIVE_INFINITY }
      looks.set(key, made)
      const settle = (until: number): void => {
        made.until = until
      }
      found.then(
        (program) =>
          settle('problem' in program ? Number.NEGATIVE_INFINITY : clock.monotonic() + trustMs),
        () => settle(Number.NEGATIVE_INFINITY),
      )
      return found
    },
  }
}
