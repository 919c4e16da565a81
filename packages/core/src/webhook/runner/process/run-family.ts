import type { CommandProcesses } from './end-survivors.ts'
import { carriedRunId, type ProcessEntry, readProcessTable } from './process-table.ts'

/** The processes of one run, including those that have left its group and lost their parents. */
export interface RunFamily {
  /** The members in a table that have not ended. A member always stays one. */
  members(table: readonly ProcessEntry[]): readonly ProcessEntry[]
}

/**
 * Finds members: a process belongs to a run if `isOwn` returns true, if its environment contains the run id, or if its parent
 * belongs. It misses only a process that from the first check on has cleared its environment, started a session and lost its
 * parent.
 *
 * @param runId `undefined` for a command without a run.
 */
export function createRunFamily(
  runId: string | undefined,
  isOwn: (entry: ProcessEntry) => boolean,
): RunFamily {
  const known = new Set<string>()
  return {
    members(table) {
      const byPid = new Map(table.map((entry) => [entry.pid, entry]))
      // Never end this process or its ancestors, even if a run of an earlier server started them.
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
          // Set below. A table that is read while it changes may contain cycles.
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

/** The processes with the id of a run in their environment, and their descendants. For processes that did not start the run. */
export function processesCarrying(runId: string): CommandProcesses {
  const family = createRunFamily(runId, () => false)
  return {
    exist: () => family.members(readProcessTable()).length > 0,
    signal(name) {
      for (const { pid } of family.members(readProcessTable())) signalProcess(pid, name)
    },
  }
}

/** Process numbers are reused. */
const keyOf = ({ pid, startedAt }: ProcessEntry): string => `${pid} ${startedAt}`

/** Signals a process. It may have ended since the check, or may not be signalled by this process. */
export function signalProcess(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, name)
  } catch {
    // Both are fine.
  }
}
