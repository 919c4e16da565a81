import type { Clock } from '../../time/clock.ts'
import type { RunHandle } from '../runs/run-handle.ts'

/** Options of {@link Callers.wait}. */
export interface WaitOptions {
  /** How long at most, in ms; `undefined` for as long as it takes. */
  readonly waitMs: number | undefined
  /** Aborted when the caller goes away; `undefined` where that changes nothing for the run. */
  readonly signal: AbortSignal | undefined
}

/** Who waits for runs. Several deliveries of one key may wait for the same one. */
export interface Callers {
  /**
   * Waits until a run has ended, or for so long. Where a caller that goes away may end the run, the last of them does.
   *
   * @returns whether the run has ended.
   */
  wait(run: RunHandle, options: WaitOptions): Promise<boolean>
  /** Counts one caller of a run until the answered function is called; `isGone` says that it left without its answer. */
  join(run: RunHandle): (isGone: boolean) => void
}

/** Nobody waits yet. */
export function createCallers(clock: Clock): Callers {
  /** Of the runs that somebody waits for, by their ids. */
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
      // To wait for nothing but the end takes a fraction of the time.
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
