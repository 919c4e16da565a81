import { letOthersRun } from '../../async/end-of-turn.ts'
import { type EventOutput, type EventOutputReport, mostWaiting } from './event-output.ts'

/**
 * Creates an output that appends events as lines, many at once. If that fails, as on a full disk, it drops these events and tries
 * again with the next ones.
 *
 * @param append appends text, and rejects if some of it was not written.
 */
export function createLineOutput(
  append: (text: string) => Promise<void>,
  report: EventOutputReport,
): EventOutput {
  let lines: string[] = []
  let length = 0
  let isTorn = false
  let running: Promise<void> | undefined

  const writeAll = async (): Promise<void> => {
    await letOthersRun()
    while (lines.length > 0) {
      const taken = lines
      lines = []
      length = 0
      // A failed write may have left a part of a line.
      const text = `${isTorn ? '\n' : ''}${taken.join('\n')}\n`
      try {
        await append(text)
        isTorn = false
        report.written(Buffer.byteLength(text))
        report.worked()
      } catch (error) {
        isTorn = true
        report.dropped(taken.length)
        report.failed(error instanceof Error ? error.message : String(error))
      }
    }
    running = undefined
  }

  return {
    add(line) {
      if (length + line.length > mostWaiting) {
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

    close: async () => running,
  }
}
