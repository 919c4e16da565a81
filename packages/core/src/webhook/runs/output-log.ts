import { atEndOfTurn } from '../../async/end-of-turn.ts'
import type { Logger } from '../../logger.ts'
import type { Clock } from '../../time/clock.ts'
import { logText } from '../log-text.ts'
import type { OutputStream } from '../runner/command.ts'
import { createLineSplitter } from './line-splitter.ts'

/** Logs what commands write. No command ever waits for it. */
export interface OutputLog {
  /** Begins to log the output of a run, until {@link OutputLog.end}. */
  open(run: LoggedRun): RunOutputLog
  /** Calls `then` after the last line of a run was logged: at once if no line of it waits. */
  end(runId: string, then: () => void): void
  /** Logs what waits without a rest. Settles once nothing does. */
  finish(): Promise<void>
}

/** A run whose output is logged. */
export interface LoggedRun {
  readonly run_id: string
  /** The id of its webhook. */
  readonly webhook: string
  /** Called with the number of bytes, each time some are dropped. */
  readonly onDropped: (bytes: number) => void
}

/** Takes what one run writes. */
export interface RunOutputLog {
  /** Takes a piece that nobody will change. Drops what there is no room for. */
  add(stream: OutputStream, chunk: Uint8Array): void
}

/** Options of {@link createOutputLog}. */
export interface OutputLogOptions {
  readonly clock: Pick<Clock, 'monotonic' | 'setTimer'>
  readonly logger: Logger
}

/** How much of one run may wait. */
const mostBytes = 1_024 * 1_024
/** In how many pieces: small ones take memory too. */
const mostPieces = 1_024
/** How long the log may hold the event loop at a time. */
const sliceMs = 1
/** The part of all time that the log may take, for all runs together. */
const share = 0.2
/** What is logged costs a millisecond for so many bytes at least, as a log that takes them at once may write them later. */
const bytesPerMs = 16 * 1_024
/** A piece becomes lines in portions of so many bytes, as every byte may end a line. */
const portionBytes = 4_096

/** Where output is missing. */
interface Gap {
  bytes: number
}

/** Work that can pause after each line, and says how many bytes it has logged since. */
type Steps = Generator<number, void>

/** An {@link OutputLog} that logs at once, as long as that takes little time. */
export function createOutputLog({ clock, logger }: OutputLogOptions): OutputLog {
  const ends = new Map<string, () => Steps>()
  const waiting: (() => Steps)[] = []
  let current: Steps | undefined
  /** How long the log took, less the rest it has had since. */
  let debtMs = 0
  let measuredAt = clock.monotonic()
  let isResting = false
  let isTurnNoted = false

  const measure = (): number => {
    const before = measuredAt
    measuredAt = clock.monotonic()
    return measuredAt - before
  }

  /** A log may write the lines of a turn together at its end, which counts too. */
  const noteTurn = (): void => {
    if (isTurnNoted) return
    isTurnNoted = true
    atEndOfTurn(() => {
      isTurnNoted = false
      debtMs += measure()
    })
  }

  const work = (): void => {
    debtMs = Math.max(0, debtMs - measure() * share)
    current ??= waiting.shift()?.()
    while (current !== undefined && debtMs < sliceMs) {
      const { value: bytes = 0, done } = current.next()
      // After the first line, so that what writes it at the end of this turn goes first.
      noteTurn()
      if (done) current = waiting.shift()?.()
      debtMs += Math.max(measure(), bytes / bytesPerMs)
    }
    if (current === undefined || isResting) return
    isResting = true
    clock.setTimer(debtMs / share, () => {
      isResting = false
      work()
    })
  }

  const put = (steps: () => Steps): void => {
    waiting.push(steps)
    work()
  }

  return {
    open({ run_id, webhook, onDropped }) {
      const about = { run_id, webhook }
      const lines: [stream: OutputStream, line: string][] = []
      const splitter = createLineSplitter((...line) => lines.push(line))
      let heldBytes = 0
      let heldPieces = 0
      let gap: Gap | undefined

      function* logLines(): Steps {
        for (const [stream, line] of lines) {
          logger.info({ ...about, stream, line: logText(line) }, 'output')
          yield line.length
        }
        lines.length = 0
      }

      function* logPiece(stream: OutputStream, piece: Uint8Array): Steps {
        for (let at = 0; at < piece.length; at += portionBytes) {
          const portion = piece.subarray(at, at + portionBytes)
          splitter.add(stream, portion)
          yield* logLines()
          heldBytes -= portion.length
        }
        heldPieces--
        if (heldBytes <= mostBytes / 2 && heldPieces <= mostPieces / 2) gap = undefined
      }

      function* logRest(): Steps {
        splitter.end()
        yield* logLines()
      }

      function* logGap(missing: Gap): Steps {
        yield* logRest()
        if (gap === missing) gap = undefined
        logger.warn({ ...about, bytes: missing.bytes }, 'output was dropped from the log')
      }

      const drop = (bytes: number): void => {
        if (bytes === 0) return
        onDropped(bytes)
        if (gap !== undefined) {
          gap.bytes += bytes
          return
        }
        const missing = { bytes }
        gap = missing
        put(() => logGap(missing))
      }

      ends.set(run_id, logRest)
      return {
        add(stream, chunk) {
          const isOpen = gap === undefined && heldPieces < mostPieces
          const room = isOpen ? mostBytes - heldBytes : 0
          const piece = chunk.length <= room ? chunk : chunk.slice(0, room)
          if (piece.length > 0) {
            heldBytes += piece.length
            heldPieces++
            put(() => logPiece(stream, piece))
          }
          drop(chunk.length - piece.length)
        },
      }
    },

    end(runId, then) {
      const logRest = ends.get(runId)
      if (logRest === undefined) return then()
      ends.delete(runId)
      put(function* () {
        yield* logRest()
        then()
      })
    },

    async finish() {
      for (debtMs = 0, work(); current !== undefined; debtMs = 0, work()) {
        await new Promise<void>(atEndOfTurn)
      }
    },
  }
}
