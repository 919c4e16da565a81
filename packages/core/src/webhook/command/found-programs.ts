import type { Clock } from '../../time/clock.ts'
import type { CommandRunner } from '../runner/command.ts'
import { checkWorkdir, type FoundProgram, findProgram } from '../runner/program/program.ts'

/** Caches where programs are, so that not every run has to search. */
export interface FoundPrograms {
  /**
   * Finds a program and checks its folder, as {@link findProgram} and {@link checkWorkdir} do. Callers for the same program are
   * answered in the order of their calls.
   */
  find(command: string, workdir: string, path: string | undefined): Promise<FoundProgram>
}

/** How long a found program stays cached. A missing one is searched again each time. */
const trustMs = 1_000
/** A PATH may come from requests, so the number of entries is limited. */
const maxKept = 1_000

/** A cached result. */
interface Look {
  readonly found: Promise<FoundProgram>
  /** Expires at this monotonic time; never while the search is running. */
  until: number
}

type Find = NonNullable<CommandRunner['find']>

/** Searches for a program on the disk of this machine. */
const findOnDisk: Find = async (command, workdir, path) => {
  const problem = await checkWorkdir(workdir)
  return problem === undefined ? findProgram(command, workdir, path) : { problem }
}

/** For a runner that does not search: its commands need not be on this machine. */
export const findAsWritten: Find = async (command) => ({ program: command, prefix: [] })

/** Creates an empty {@link FoundPrograms}. */
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
      if (looks.size >= maxKept) looks.clear()
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
