import { readText } from '../pipes/files.ts'
import type { CommandProcesses } from '../process/end-survivors.ts'
import {
  findLeader,
  type ProcessEntry,
  processesOfRun,
  type RunLeader,
  readProcessTable,
} from '../process/process-table.ts'
import { createRunFamily, signalProcess } from '../process/run-family.ts'

/** The processes of a launcher's command. */
export interface RunProcesses extends CommandProcesses {
  /** Whether its main process has been found. */
  readonly isFound: boolean
}

/**
 * Finds the processes of the command that a launcher runs.
 *
 * @param runId `undefined` for a command without a run.
 */
export function createRunProcesses(launcher: number, runId: string | undefined): RunProcesses {
  let leader: RunLeader | undefined
  /** The members found by the session of the launcher. */
  let own: ReadonlySet<number> = new Set()
  const family = createRunFamily(runId, ({ pid }) => own.has(pid))

  /** Before it becomes the program, a process is a copy of the launcher, in which signals have no effect. */
  const isProgram = ({ pid }: RunLeader): boolean =>
    readText(`/proc/${pid}/cmdline`) !== readText(`/proc/${launcher}/cmdline`)

  const find = (): readonly ProcessEntry[] => {
    const table = readProcessTable()
    if (leader === undefined) {
      const found = findLeader(table, launcher)
      if (found !== undefined && isProgram(found)) leader = found
    }
    if (leader === undefined) return []
    own = new Set(processesOfRun(table, launcher, leader).map(({ pid }) => pid))
    return family.members(table)
  }

  return {
    get isFound() {
      return leader !== undefined
    },
    exist: () => find().length > 0,
    signal(name) {
      for (const { pid } of find()) signalProcess(pid, name)
    },
  }
}
