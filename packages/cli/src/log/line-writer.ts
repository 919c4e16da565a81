import { eraseProgress } from './progress.ts'

/** Options of {@link createLineWriter}. */
export interface LineWriterOptions {
  /** Writes text that ends with a newline (default: to standard error). */
  readonly write?: (text: string) => void
  /** Calls back once before the program exits (default: Node's `exit` event). */
  readonly atExit?: (end: () => void) => void
}

function writeOverProgress(text: string): void {
  eraseProgress()
  process.stderr.write(text)
}

/** Writes all lines of a turn of the event loop with one system call, at its end. */
export function createLineWriter(options: LineWriterOptions = {}): (line: string) => void {
  const {
    write = writeOverProgress,
    atExit = (end: () => void) => void process.once('exit', end),
  } = options
  let waiting: string[] = []
  const flush = (): void => {
    if (waiting.length === 0) return
    const lines = waiting
    waiting = []
    write(lines.join(''))
  }
  atExit(flush)
  return (line) => {
    if (waiting.push(line) === 1) setImmediate(flush)
  }
}

/** Writes a line to standard error, in order with the log. */
export const writeErrorLine: (line: string) => void = createLineWriter()
