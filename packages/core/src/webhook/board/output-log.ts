import type { Logger } from '../../logger.ts'
import type { Clock } from '../../time/clock.ts'
import { logText } from '../log-text.ts'
import type { OutputStream } from '../runner/command.ts'
import { createLineSplitter } from './line-splitter.ts'
import { createPacedWork, type PacedWork, type Steps } from './paced-work.ts'

/** Logs the output of commands. No command ever waits for it. */
export interface OutputLog {
  /** Starts to log the output of a run, until {@link OutputLog.end}. */
  open(run: LoggedRun): RunOutputLog
  /** Calls `then` after the last line of a run was logged: at once if none is pending. */
  end(runId: string, then: () => void): void
  /** Logs all pending lines without resting. Settles when done. */
  finish(): Promise<void>
}

/** A run with logged output. */
export interface LoggedRun {
  readonly run_id: string
  /** The id of its webhook. */
  readonly webhook: string
  /** Called with the number of bytes whenever some are dropped. */
  readonly onDropped: (bytes: number) => void
}

/** Logs the output of one run. */
export interface RunOutputLog {
  /** Adds a piece, which must not change afterwards. Drops bytes over the limit. */
  add(stream: OutputStream, chunk: Uint8Array): void
}

/** Options of {@link createOutputLog}. */
export interface OutputLogOptions {
  readonly clock: Pick<Clock, 'monotonic' | 'setTimer'>
  readonly logger: Logger
}

/** The most pending bytes of one run. */
const maxBytes = 1_024 * 1_024
/** The most pending pieces, because small ones take memory too. */
const maxPieces = 1_024
/** A piece is split into lines in portions of this many bytes, because every byte may end a line. */
const portionBytes = 4_096

/** A gap in the output. */
interface Gap {
  bytes: number
}

/** Creates an {@link OutputLog} that logs immediately, as long as that is fast. */
export function createOutputLog({ clock, logger }: OutputLogOptions): OutputLog {
  const work = createPacedWork(clock)
  const ends = new Map<string, () => Steps>()
  return {
    open(run) {
      const { add, logRest } = openRunLog(run, { work, logger })
      ends.set(run.run_id, logRest)
      return { add }
    },

    end(runId, then) {
      const logRest = ends.get(runId)
      if (logRest === undefined) return then()
      ends.delete(runId)
      work.add(function* () {
        yield* logRest()
        then()
      })
    },

    finish: () => work.finish(),
  }
}

function openRunLog(
  { run_id, webhook, onDropped }: LoggedRun,
  { work, logger }: { readonly work: PacedWork; readonly logger: Logger },
): RunOutputLog & { logRest(): Steps } {
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
    if (heldBytes <= maxBytes / 2 && heldPieces <= maxPieces / 2) gap = undefined
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
    work.add(() => logGap(missing))
  }

  return {
    logRest,

    add(stream, chunk) {
      const isOpen = gap === undefined && heldPieces < maxPieces
      const room = isOpen ? maxBytes - heldBytes : 0
      const piece = chunk.length <= room ? chunk : chunk.slice(0, room)
      if (piece.length > 0) {
        heldBytes += piece.length
        heldPieces++
        work.add(() => logPiece(stream, piece))
      }
      drop(chunk.length - piece.length)
    },
  }
}
