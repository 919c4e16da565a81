import type { Clock } from '../time/clock.ts'

/** Something that runs until it is stopped. */
export interface Running {
  /** Stops it, and waits for work in progress. */
  stop(): Promise<void>
}

/**
 * Stops several services at once, and waits until the work in progress of all has ended.
 *
 * @throws {AggregateError} if some could not be stopped cleanly; all the others are stopped.
 * @example
 * const running = [startAlerts(alerts), startAuth(auth)]
 * process.once('SIGTERM', () => stopAll(...running).then(() => storage.close()))
 */
export async function stopAll(...running: readonly Running[]): Promise<void> {
  const ends = await Promise.allSettled(running.map(async (one) => one.stop()))
  const errors = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
  if (errors.length > 0) throw new AggregateError(errors, 'not everything could be stopped')
}

/** Something whose `stop()` may be called several times, and always waits for the one end. */
export function stoppedOnce(end: () => Promise<void>): Running {
  let ending: Promise<void> | undefined
  return {
    stop() {
      ending ??= end()
      return ending
    },
  }
}

/** Options of {@link repeat}. */
export interface RepeatOptions {
  readonly clock: Pick<Clock, 'setTimer'>
  /** From the end of one turn to the next, in ms. */
  readonly intervalMs: number
  /** Whether the first turn is after an interval, too (default: now). */
  readonly isDelayed?: boolean
}

/** Takes one turn after the other until it is stopped. A turn must not reject; a long one may ask whether it is stopped. */
export function repeat(
  { clock, intervalMs, isDelayed = false }: RepeatOptions,
  turn: (isStopped: () => boolean) => Promise<void>,
): Running {
  let cancel = (): void => {}
  let running: Promise<void> = Promise.resolve()
  let isStopped = false
  const arm = (): void => {
    if (!isStopped) cancel = clock.setTimer(intervalMs, start)
  }
  const start = (): void => {
    running = turn(() => isStopped).then(arm)
  }
  if (isDelayed) arm()
  else start()
  return {
    async stop() {
      isStopped = true
      cancel()
      await running
    },
  }
}
