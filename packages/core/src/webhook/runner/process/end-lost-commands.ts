import { endSurvivors } from './end-survivors.ts'
import { carriedRunId, type ProcessEntry, readProcessTable } from './process-table.ts'
import { createRunFamily, signalProcess } from './run-family.ts'

/** Whether processes of runs exist on this machine, according to their environments. */
export function haveProcesses(runIds: readonly string[]): boolean {
  const ids = new Set(runIds)
  const isOfRun = (entry: ProcessEntry): boolean => ids.has(carriedRunId(entry))
  return readProcessTable().some((entry) => !entry.hasEnded && isOfRun(entry))
}

/** The time between SIGTERM and SIGKILL, and the interval of checks, in ms. */
const graceMs = 5_000
const tickMs = 50

/**
 * Ends the processes on this machine of runs whose server is gone: with SIGTERM, and SIGKILL after five seconds.
 *
 * @returns whether none is left.
 */
export async function endLostCommands(runIds: readonly string[]): Promise<boolean> {
  if (runIds.length === 0 || !haveProcesses(runIds)) return true
  const ids = new Set(runIds)
  const family = createRunFamily(undefined, (entry) => ids.has(carriedRunId(entry)))
  const exist = (): boolean => family.members(readProcessTable()).length > 0
  const signal = (name: 'SIGTERM' | 'SIGKILL'): void => {
    for (const { pid } of family.members(readProcessTable())) signalProcess(pid, name)
  }
  signal('SIGTERM')
  for (let waitedMs = 0; waitedMs < graceMs && exist(); waitedMs += tickMs) {
    await new Promise((resolve) => setTimeout(resolve, tickMs))
  }
  await endSurvivors({ exist, signal })
  return !exist()
}
