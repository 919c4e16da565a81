import { createTurnBatch } from '../server/turn-batch.ts'

/** Options of {@link createLineWriter}. */
export interface LineWriterOptions {
  /** Takes text that ends with a newline (default: standard error). */
  readonly write?: (text: string) => void
  /** Calls back once, before the program ends (default: Node's event `exit`). */
  readonly atExit?: (end: () => void) => void
}

/** Writes the lines of a turn together, as {@link createTurnBatch} does: a line costs a system call. */
export function createLineWriter(options: LineWriterOptions = {}): (line: string) => void {
  const {
    write = (text: string) => void process.stderr.write(text),
    atExit = (end: () => void) => void process.once('exit', end),
  } = options
  const lines = createTurnBatch<string>((batch) => write(batch.join('')))
  atExit(lines.flush)
  return lines.add
}

/** Writes a line to standard error, in its order among those of the log. */
export const writeErrorLine: (line: string) => void = createLineWriter()
