/** The processes of one command. */
export interface CommandProcesses {
  /** Whether any of them is there. */
  exist(): boolean
  signal(name: 'SIGTERM' | 'SIGKILL'): void
}

const tickMs = 25
const patientTicks = 10
const killTicks = 4

/**
 * Sees the processes of a command out whose leader was signalled and has ended: those that the signal did not end within 250 ms are
 * killed, so that a command is always ended as a whole.
 */
export async function endSurvivors(processes: CommandProcesses): Promise<void> {
  for (let tick = 0; tick < patientTicks + killTicks; tick++) {
    if (!processes.exist()) return
    // More than once: some may have been started while the others were looked for.
    if (tick >= patientTicks) processes.signal('SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, tickMs))
  }
}
