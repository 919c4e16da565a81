/** Options of {@link createLineWriter}. */
export interface LineWriterOptions {
  /** Takes text that ends with a newline (default: standard error). */
  readonly write?: (text: string) => void
  /** Calls back once, before the program ends (default: Node's event `exit`). */
  readonly atExit?: (end: () => void) => void
}

/**
 * Writes lines: the first at once, and what follows it in the same turn of the event loop together at the end of that. A line
 * costs a system call, and a busy server answers many requests in one turn.
 */
export function createLineWriter(options: LineWriterOptions = {}): (line: string) => void {
  const {
    write = (text: string) => void process.stderr.write(text),
    atExit = (end: () => void) => void process.once('exit', end),
  } = options
  let waiting = ''
  let isTurnOver = true

  const flush = (): void => {
    isTurnOver = true
    if (waiting === '') return
    const text = waiting
    waiting = ''
    write(text)
  }
  atExit(flush)

  return (line) => {
    if (!isTurnOver) {
      waiting += line
      return
    }
    isTurnOver = false
    setImmediate(flush)
    write(line)
  }
}
