import type { CommandProcesses } from './end-survivors.ts'
import { carriedRunId, type ProcessEntry, readProcessTable } from './process-table.ts'

/** The processes of one run, also those that have left its group and lost their parents. */
export interface RunFamily {
  /** Those in a table that have not ended. Whoever was a member once stays one. */
  members(table: readonly ProcessEntry[]): readonly ProcessEntry[]
}

/**
 * A process belongs to a run if `isOwn` says so, if its environment carries the id of the run, or if its parent belongs. Only one that does
 * neither from the first look on is missed: it has cleared its environment, begun a session and lost its parent.
 *
 * @param runId `undefined` for a command of no run.
 */
export function createRunFamily(
  runId: string | undefined,
  isOwn: (entry: ProcessEntry) => boolean,
): RunFamily {
  const known = new Set<string>()
  return {
    members(table) {
      const byPid = new Map(table.map((entry) => [entry.pid, entry]))
      // Neither this process nor what started it is ended, even if a run of an earlier server did.
      const verdicts = new Map<number, boolean>()
      for (let pid = process.pid; pid > 0 && !verdicts.has(pid); ) {
        verdicts.set(pid, false)
        pid = byPid.get(pid)?.parent ?? 0
      }
      const isOfItself = (entry: ProcessEntry): boolean =>
        known.has(keyOf(entry)) ||
        isOwn(entry) ||
        (runId !== undefined && carriedRunId(entry) === runId)

      for (const entry of table) {
        const line: ProcessEntry[] = []
        let above: ProcessEntry | undefined = entry
        while (above !== undefined && !verdicts.has(above.pid)) {
          // Decided below; a table that is read while it changes may hold circles.
          verdicts.set(above.pid, false)
          line.push(above)
          above = byPid.get(above.parent)
        }
        for (const one of line.reverse()) {
          verdicts.set(one.pid, verdicts.get(one.parent) === true || isOfItself(one))
        }
      }
      const members = table.filter(({ pid, hasEnded }) => !hasEnded && verdicts.get(pid) === true)
      for (const entry of members) known.add(keyOf(entry))
      return members
    },
  }
}

/** The processes that carry the id of a run, and their descendants, for whoever has not started the run. */
export function processesCarrying(runId: string): CommandProcesses {
  const family = createRunFamily(runId, () => false)
  return {
    exist: () => family.members(readProcessTable()).length > 0,
    signal(name) {
      for (const { pid } of family.members(readProcessTable())) signalProcess(pid, name)
    },
  }
}

/** Numbers of processes are given again. */
const keyOf = ({ pid, startedAt }: ProcessEntry): string => `${pid} ${startedAt}`

/** Signals a process that may have ended since it was seen, or that this one may not signal. */
export function signalProcess(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, name)
  } catch {
    // There is nothing to do about either.
  }
}
