import type { Clock } from '../../time/clock.ts'
import type { RunHandle } from '../board/run-handle.ts'

/** Options of {@link Callers.wait}. */
export interface WaitOptions {
  /** The longest wait, in ms; `undefined` for no limit. */
  readonly waitMs: number | undefined
  /** Aborted when the caller disconnects; `undefined` if that does not affect the run. */
  readonly signal: AbortSignal | undefined
}

/** Counts the callers of runs. Several deliveries of one key may wait for the same run. */
export interface Callers {
  /**
   * Waits until a run has ended, or until the limit. If callers may cancel the run by disconnecting, the last one does.
   *
   * @returns whether the run has ended.
   */
  wait(run: RunHandle, options: WaitOptions): Promise<boolean>
  /** Counts one caller of a run until the returned function is called; `isGone` means that it left without its answer. */
  join(run: RunHandle): (isGone: boolean) => void
}

/** Creates {@link Callers} without callers. */
export function createCallers(clock: Clock): Callers {
  /** The number of callers by run id. */
  const counts = new Map<string, number>()

  function join(run: RunHandle): (isGone: boolean) => void {
    const { run_id } = run
    let isHere = true
    counts.set(run_id, (counts.get(run_id) ?? 0) + 1)
    return (isGone) => {
      if (!isHere) return
      isHere = false
      const left = (counts.get(run_id) ?? 1) - 1
      if (left > 0) counts.set(run_id, left)
      else counts.delete(run_id)
      if (isGone && left === 0) run.cancel('disconnect')
    }
  }

  return {
    join,
    async wait(run, { waitMs, signal }) {
      const leave = join(run)
      // Waiting for nothing but the end is several times as fast.
      if (waitMs === undefined && signal === undefined) {
        await run.ended
        leave(false)
        return true
      }
      const onGone = (): void => leave(true)
      let cancelTimer = (): void => {}
      const late = new Promise<boolean>((resolve) => {
        if (waitMs !== undefined) cancelTimer = clock.setTimer(waitMs, () => resolve(false))
      })
      signal?.addEventListener('abort', onGone, { once: true })
      if (signal?.aborted) onGone()
      try {
        return await Promise.race([run.ended.then(() => true), late])
      } finally {
        cancelTimer()
        signal?.removeEventListener('abort', onGone)
        leave(false)
      }
    },
  }
}
