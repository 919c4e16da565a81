import type { CommandProcesses } from '../end-survivors.ts'
import {
  findLeader,
  type ProcessEntry,
  processesOfRun,
  type RunLeader,
  readProcessTable,
} from '../process-table.ts'
import { readText } from './files.ts'

/** The processes of what a launcher runs. */
export interface RunProcesses extends CommandProcesses {
  /** Whether what was started has been seen. */
  readonly isFound: boolean
}

/** Looks for the processes of the run that a launcher is told to make. */
export function createRunProcesses(launcher: number): RunProcesses {
  let leader: RunLeader | undefined

  /** Until it has become the program, a process is a copy of the launcher, in which signals do nothing. */
  const isProgram = ({ pid }: RunLeader): boolean =>
    readText(`/proc/${pid}/cmdline`) !== readText(`/proc/${launcher}/cmdline`)

  const find = (): readonly ProcessEntry[] => {
    const table = readProcessTable()
    if (leader === undefined) {
      const found = findLeader(table, launcher)
      if (found !== undefined && isProgram(found)) leader = found
    }
    return leader === undefined ? [] : processesOfRun(table, launcher, leader)
  }

  return {
    get isFound() {
      return leader !== undefined
    },
    exist: () => find().length > 0,
    signal(name) {
      for (const { pid } of find()) {
        try {
          process.kill(pid, name)
        } catch {
          // It has ended since, or this process may not signal it.
        }
      }
    },
  }
}
