import { constants } from 'node:os'
import type { Logger } from '@gatehouse/core'

/** A part of the running program that can be stopped. */
export interface Stoppable {
  /** For the log. */
  readonly name: string
  stop(): Promise<unknown>
}

/** The process, as {@link stopInOrder} and {@link runUntilSignal} use it. */
export interface SignalSource {
  on(signal: NodeJS.Signals, listener: () => void): unknown
  off(signal: NodeJS.Signals, listener: () => void): unknown
}

/** How long child processes may take to end once they are killed. */
const maxAbortMs = 1_000

/** Options of {@link runUntilSignal}. */
export interface RunOptions {
  logger: Logger
  /** In the order in which they are stopped. */
  parts: readonly Stoppable[]
  /** Called for SIGHUP and SIGUSR1; logs its own failures. */
  reload: () => Promise<void>
  /**
   * Called when a second signal ends the program: ends at once everything that must not outlive it. The program exits when it
   * settles, after a second, or at a third signal.
   */
  abort?: () => Promise<unknown>
  /** Exits the program at once (default `process.exit`). */
  exit?: (exitCode: number) => void
  /** Default: the process. */
  signals?: SignalSource
}

/**
 * Waits for SIGTERM or SIGINT, then stops the parts in order. SIGHUP and SIGUSR1 reload. A second SIGTERM or SIGINT exits at
 * once, with 128 plus the number of the signal.
 *
 * @returns the exit code: 0, or 1 if a part did not stop cleanly.
 */
export async function runUntilSignal(options: RunOptions): Promise<number> {
  const { logger, parts, reload, abort = async () => {}, signals = process } = options
  const { exit = (code) => process.exit(code) } = options
  let signalsSeen = 0
  let stop = (_signal: string): void => {}
  const stopAsked = new Promise<string>((resolve) => {
    stop = resolve
  })
  const onStop = (signal: 'SIGTERM' | 'SIGINT') => () => {
    signalsSeen += 1
    if (signalsSeen === 1) return stop(signal)
    const end = (): void => exit(128 + constants.signals[signal])
    if (signalsSeen > 2) return end()
    setTimeout(end, maxAbortMs).unref()
    abort().then(end, end)
  }
  const listeners = [
    ['SIGTERM', onStop('SIGTERM')],
    ['SIGINT', onStop('SIGINT')],
    ['SIGHUP', () => void reload()],
    ['SIGUSR1', () => void reload()],
  ] as const
  for (const [signal, listener] of listeners) signals.on(signal, listener)

  logger.info({ signal: await stopAsked }, 'stopping')
  const exitCode = (await stopInOrder(parts, logger)) ? 0 : 1
  for (const [signal, listener] of listeners) signals.off(signal, listener)
  logger.info({}, 'stopped')
  return exitCode
}

/** Stops every part, even after a failure. @returns whether all stopped. */
export async function stopInOrder(parts: readonly Stoppable[], logger: Logger): Promise<boolean> {
  let well = true
  for (const part of parts) {
    try {
      await part.stop()
    } catch (error) {
      well = false
      logger.error({ part: part.name, error }, 'could not be stopped')
    }
  }
  return well
}
