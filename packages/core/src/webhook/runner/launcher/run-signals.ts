import { createRunProcesses, type RunProcesses } from './run-processes.ts'

/** The signals of one run of a launcher. */
export interface RunSignals {
  readonly processes: RunProcesses
  send(name: 'SIGTERM' | 'SIGKILL'): void
  /** The run has ended: nothing more is sent. */
  stop(): void
}

/** Then twice as long each time. */
const firstAgainMs = 5
const mostAgainMs = 160

/**
 * Signals what a launcher runs. A command that is not there yet is signalled once it is; and as processes can start others while
 * they are looked for, SIGKILL is sent until the run has ended.
 *
 * @param runId `undefined` for a command of no run.
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
    againMs = Math.min(2 * againMs, mostAgainMs)
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

/** A command that stopped its own group stopped its launcher too, which has yet to say that it ended. */
function wake(launcher: number): void {
  try {
    process.kill(launcher, 'SIGCONT')
  } catch {
    // It is gone, which is noticed elsewhere.
  }
}
