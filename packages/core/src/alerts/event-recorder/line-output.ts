import { letOthersRun } from '../../async/end-of-turn.ts'
import type { Clock } from '../../time/clock.ts'
import {
  closeWithinMs,
  type EventOutput,
  type EventOutputReport,
  maxWaiting,
} from './event-output.ts'

/**
 * Creates an output that appends events as lines, many at once. If that fails, as on a full disk, it drops these events and tries
 * again with the next ones.
 *
 * @param append appends text, and rejects if some of it was not written.
 */
export function createLineOutput(
  append: (text: string) => Promise<void>,
  report: EventOutputReport,
  clock: Clock,
): EventOutput {
  let lines: string[] = []
  let length = 0
  /** The number of events that are being written. */
  let inFlight = 0
  let isTorn = false
  let running: Promise<void> | undefined

  const writeAll = async (): Promise<void> => {
    await letOthersRun()
    while (lines.length > 0) {
      const taken = lines
      lines = []
      length = 0
      inFlight = taken.length
      // A failed write may have left a part of a line.
      const text = `${isTorn ? '\n' : ''}${taken.join('\n')}\n`
      try {
        await append(text)
        isTorn = false
        report.written(Buffer.byteLength(text))
        report.worked()
      } catch (error) {
        isTorn = true
        report.dropped(inFlight)
        report.failed(error instanceof Error ? error.message : String(error))
      }
    }
    running = undefined
  }

  return {
    add(line) {
      if (length + line.length > maxWaiting) {
        report.dropped(1)
        return
      }
      lines.push(line)
      length += line.length
      running ??= writeAll()
    },

    get waiting() {
      return lines.length
    },

    async close() {
      if (running === undefined) return
      let cancel = (): void => {}
      const tooLate = new Promise<void>((resolve) => {
        cancel = clock.setTimer(closeWithinMs, () => {
          report.dropped(inFlight + lines.length)
          inFlight = 0
          lines = []
          resolve()
        })
      })
      await Promise.race([running, tooLate])
      cancel()
    },
  }
}
