import { createRunProcesses, type RunProcesses } from './run-processes.ts'

/** The signals for one command of a launcher. */
export interface RunSignals {
  readonly processes: RunProcesses
  send(name: 'SIGTERM' | 'SIGKILL'): void
  /** The command has ended: send nothing more. */
  stop(): void
}

/** The delay doubles each time. */
const firstAgainMs = 5
const maxAgainMs = 160

/**
 * Signals the command of a launcher. A command that has not started yet is signalled once it has; and because processes can fork
 * during the search, SIGKILL is sent until the command has ended.
 *
 * @param runId `undefined` for a command without a run.
 */
export function createRunSignals(launcher: number, runId: string | undefined): RunSignals {
  const processes = createRunProcesses(launcher, runId)
  let wanted: 'SIGTERM' | 'SIGKILL' | undefined
  let timer: NodeJS.Timeout | undefined
  let againMs = firstAgainMs

  const send = (): void => {
    if (wanted === undefined) return
    processes.signal(wanted)
    if (wanted === 'SIGKILL') wake(launcher)
    if (wanted === 'SIGTERM' && processes.isFound) return
    timer = setTimeout(send, againMs)
    againMs = Math.min(2 * againMs, maxAgainMs)
  }

  return {
    processes,
    send(name) {
      if (wanted === 'SIGKILL') return
      wanted = name
      againMs = firstAgainMs
      clearTimeout(timer)
      send()
    },
    stop() {
      clearTimeout(timer)
    },
  }
}

/** A command that stopped its own group also stopped its launcher, which still has to report the end. */
function wake(launcher: number): void {
  try {
    process.kill(launcher, 'SIGCONT')
  } catch {
    // It is gone, which is noticed elsewhere.
  }
}
