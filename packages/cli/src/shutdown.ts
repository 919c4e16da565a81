import type { Logger } from '@gatehouse/core'

/** A part of the running program that can be ended. */
export interface Stoppable {
  /** For the log. */
  readonly name: string
  stop(): Promise<unknown>
}

/** What {@link stopInOrder} and {@link runUntilSignal} need of the process. */
export interface SignalSource {
  on(signal: NodeJS.Signals, listener: () => void): unknown
  off(signal: NodeJS.Signals, listener: () => void): unknown
}

/** Options of {@link runUntilSignal}. */
export interface RunOptions {
  logger: Logger
  /** In the order in which they are ended. */
  parts: readonly Stoppable[]
  /** Called for SIGHUP; logs its own failures. */
  reload: () => Promise<void>
  /** Ends the program at once, for a second signal (default `process.exit`). */
  abort?: (exitCode: number) => void
  /** Default: the process. */
  signals?: SignalSource
}

/**
 * Waits for SIGTERM or SIGINT, then ends the parts in their order. SIGHUP reloads. A second SIGTERM or SIGINT
 * ends the program at once.
 *
 * @returns the exit code: 0, or 1 if a part could not be ended well.
 */
export async function runUntilSignal(options: RunOptions): Promise<number> {
  const { logger, parts, reload, abort = (code) => process.exit(code), signals = process } = options
  let stopping = false
  let stop = (_signal: string): void => {}
  const stopAsked = new Promise<string>((resolve) => {
    stop = resolve
  })
  const onStop = (signal: string) => () => {
    if (stopping) abort(1)
    stopping = true
    stop(signal)
  }
  const listeners = [
    ['SIGTERM', onStop('SIGTERM')],
    ['SIGINT', onStop('SIGINT')],
    ['SIGHUP', () => void reload()],
  ] as const
  for (const [signal, listener] of listeners) signals.on(signal, listener)

  logger.info({ signal: await stopAsked }, 'stopping')
  const exitCode = (await stopInOrder(parts, logger)) ? 0 : 1
  for (const [signal, listener] of listeners) signals.off(signal, listener)
  logger.info({}, 'stopped')
  return exitCode
}

/** Ends every part, also after one has failed to end. @returns whether all ended well. */
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
