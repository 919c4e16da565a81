import { type InheritedSockets, takeInheritedSockets } from '../server/inherited-sockets.ts'
import { numberVariable } from './messages.ts'
import type { Worker } from './worker.ts'

/** The facts about its process that a server needs. */
export interface ServingProcess {
  /** The sockets that a service manager has opened for it. */
  readonly sockets: InheritedSockets
  /** The worker that it is, if it is one. */
  readonly worker: Worker | undefined
}

/**
 * Serves in this process, or in several workers that it starts.
 *
 * @param serve serves in the process that it is called with.
 * @returns the exit code.
 * @throws {Error} if such a socket cannot be used.
 */
export async function serveWithWorkers(
  count: number,
  serve: (serving: ServingProcess) => Promise<number>,
): Promise<number> {
  if (process.env[numberVariable] !== undefined) {
    const { createWorker } = await import('./worker.ts')
    const worker = createWorker()
    return serve({ sockets: worker.sockets, worker })
  }
  const sockets = takeInheritedSockets(process.env)
  if (count === 1) return serve({ sockets, worker: undefined })
  const { superviseWorkers } = await import('./supervise-workers.ts')
  return superviseWorkers(count, sockets)
}
