import { endSurvivors } from './end-survivors.ts'
import { carriedRunId, type ProcessEntry, readProcessTable } from './process-table.ts'
import { createRunFamily, signalProcess } from './run-family.ts'

/** Whether processes of runs are there, on this machine: their environments say so. */
export function haveProcesses(runIds: readonly string[]): boolean {
  const ids = new Set(runIds)
  const isOfRun = (entry: ProcessEntry): boolean => ids.has(carriedRunId(entry))
  return readProcessTable().some((entry) => !entry.hasEnded && isOfRun(entry))
}

/** How long they may take to end after the polite signal, and how often they are looked at, in ms. */
const graceMs = 5_000
const tickMs = 50

/**
 * Ends what is left on this machine of runs whose server is gone: by a polite signal, and by force after five seconds.
 *
 * @returns whether nothing is left.
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
