import type { OutputStream } from '../runner/command.ts'

/** Joins the pieces of an output to lines. */
export interface LineSplitter {
  add(stream: OutputStream, chunk: Uint8Array): void
  /** Passes on the last line if it has no newline. */
  end(): void
}

/** A longer line is passed on in parts of about this many characters. */
const maxLineLength = 8_192

/** Creates a {@link LineSplitter} that passes each line to `onLine`, without its newline. */
export function createLineSplitter(
  onLine: (stream: OutputStream, line: string) => void,
): LineSplitter {
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() }
  const rests = { stdout: '', stderr: '' }

  const take = (stream: OutputStream, text: string): void => {
    const lines = (rests[stream] + text).split('\n')
    let rest = lines.pop() ?? ''
    for (const line of lines) onLine(stream, line.endsWith('\r') ? line.slice(0, -1) : line)
    for (; rest.length > maxLineLength; rest = rest.slice(maxLineLength)) {
      onLine(stream, rest.slice(0, maxLineLength))
    }
    rests[stream] = rest
  }

  return {
    add: (stream, chunk) => take(stream, decoders[stream].decode(chunk, { stream: true })),
    end() {
      for (const stream of ['stdout', 'stderr'] as const) {
        take(stream, decoders[stream].decode())
        if (rests[stream] !== '') onLine(stream, rests[stream])
        rests[stream] = ''
      }
    },
  }
}
