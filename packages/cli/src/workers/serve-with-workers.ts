import { numberVariable } from './messages.ts'
import type { Worker } from './worker.ts'

/**
 * Serves in this process, or in several workers that it starts.
 *
 * @param serve serves; called with the worker that this process is, if it is one.
 * @returns the exit code.
 */
export async function serveWithWorkers(
  count: number,
  serve: (worker: Worker | undefined) => Promise<number>,
): Promise<number> {
  if (process.env[numberVariable] !== undefined) {
    const { createWorker } = await import('./worker.ts')
    return serve(createWorker())
  }
  if (count === 1) return serve(undefined)
  const { superviseWorkers } = await import('./supervise-workers.ts')
  return superviseWorkers(count)
}
