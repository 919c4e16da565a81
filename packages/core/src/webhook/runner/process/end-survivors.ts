/** The processes of one command. */
export interface CommandProcesses {
  /** Whether any of them exists. */
  exist(): boolean
  signal(name: 'SIGTERM' | 'SIGKILL'): void
}

const tickMs = 25
const patientTicks = 10
const killTicks = 4

/**
 * Kills the processes that survive a signalled command: those that the signal has not ended 250 ms after the end of the main
 * process. So a command always ends as a whole.
 */
export async function endSurvivors(processes: CommandProcesses): Promise<void> {
  for (let tick = 0; tick < patientTicks + killTicks; tick++) {
    if (!processes.exist()) return
    // More than once, because some may have been forked during the search.
    if (tick >= patientTicks) processes.signal('SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, tickMs))
  }
}
