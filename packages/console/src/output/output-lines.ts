import { type AnsiStyle, plainStyle, readAnsi } from './ansi.ts'

export type OutputStream = 'stdout' | 'stderr'

/** A line of output, or a part of a very long one. */
export interface OutputLine {
  /** Grows by one from line to line and from part to part. */
  readonly key: number
  readonly stream: OutputStream
  /** The number of the line in its stream, from 1; `undefined` for a further part of a line. */
  readonly number: number | undefined
  /** The style at its beginning. */
  readonly style: AnsiStyle
  /** With escape sequences, without the line end. */
  readonly text: string
}

/** The name of a line in addresses: its number, after `e` in the error stream; `undefined` for a further part of a line. */
export const lineName = ({
  stream,
  number,
}: Pick<OutputLine, 'stream' | 'number'>): string | undefined =>
  number === undefined ? undefined : `${stream === 'stderr' ? 'e' : ''}${number}`

/** The last lines of an output. */
export interface OutputLines {
  add(stream: OutputStream, text: string): void
  /** The lines that are held, the oldest first. */
  readonly lines: readonly OutputLine[]
  /** How many older lines are not held any more. */
  readonly dropped: number
}

/** Limits of {@link createOutputLines}. */
export interface OutputLimits {
  readonly maxCharacters: number
  readonly maxLines: number
  /** A longer line is held in parts. */
  readonly maxLineLength: number
}

const defaultLimits: OutputLimits = {
  maxCharacters: 6_000_000,
  maxLines: 100_000,
  maxLineLength: 16_384,
}

type OpenLine = { -readonly [K in keyof OutputLine]: OutputLine[K] }

/** Creates an {@link OutputLines} without lines. */
export function createOutputLines(limits: OutputLimits = defaultLimits): OutputLines {
  const { maxCharacters, maxLines, maxLineLength } = limits
  const lines: OpenLine[] = []
  const open: { [Stream in OutputStream]?: OpenLine | undefined } = {}
  const styles: Record<OutputStream, AnsiStyle> = { stdout: plainStyle, stderr: plainStyle }
  let characters = 0
  let nextKey = 0
  // Counted for each stream, because the order between them is not recorded: a number stays the same when the output is read again.
  const nextNumber: Record<OutputStream, number> = { stdout: 1, stderr: 1 }
  let dropped = 0

  const begin = (stream: OutputStream, isNew: boolean): OpenLine => {
    const number = isNew ? nextNumber[stream]++ : undefined
    const line = { key: nextKey++, stream, number, style: styles[stream], text: '' }
    lines.push(line)
    open[stream] = line
    return line
  }

  const close = (line: OpenLine): void => {
    styles[line.stream] = styleAfter(line.text, line.style)
    open[line.stream] = undefined
  }

  const put = (line: OpenLine, text: string): void => {
    characters += text.length - line.text.length
    line.text = text
  }

  /** A carriage return overwrites its line, as in a terminal. Progress bars do this. */
  const overwrite = (line: OpenLine): void => {
    const last = line.text.lastIndexOf('\r', line.text.length - 2)
    if (last < 0) return
    line.style = styleAfter(line.text.slice(0, last), line.style)
    put(line, line.text.slice(last + 1))
  }

  const append = (stream: OutputStream, piece: string, isWhole: boolean): void => {
    let line = open[stream] ?? begin(stream, true)
    put(line, line.text + piece)
    if (isWhole && line.text.endsWith('\r')) put(line, line.text.slice(0, -1))
    overwrite(line)
    while (line.text.length > maxLineLength) {
      const end = endOfPart(line.text, maxLineLength)
      const rest = line.text.slice(end)
      put(line, line.text.slice(0, end))
      close(line)
      line = begin(stream, false)
      put(line, rest)
    }
    if (isWhole) close(line)
  }

  const drop = (): void => {
    if (characters <= maxCharacters && lines.length <= maxLines) return
    // A tenth at once, because removing from the beginning of a list moves the rest.
    let count = 0
    while (
      count < lines.length - 1 &&
      (characters > 0.9 * maxCharacters || lines.length - count > 0.9 * maxLines)
    ) {
      const { text, number } = lines[count++] ?? { text: '', number: undefined }
      characters -= text.length
      if (number !== undefined) dropped++
    }
    for (const line of lines.splice(0, count)) {
      if (open[line.stream] === line) open[line.stream] = undefined
    }
  }

  return {
    lines,
    get dropped() {
      return dropped
    },
    add(stream, text) {
      let at = 0
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', at)) {
        append(stream, text.slice(at, end), true)
        at = end + 1
      }
      if (at < text.length) append(stream, text.slice(at), false)
      drop()
    },
  }
}

const styleAfter = (text: string, style: AnsiStyle): AnsiStyle =>
  text.includes('\u001b') ? readAnsi(text, style).style : style

/** Where to split a line: not inside a character, and not inside a short escape sequence. */
function endOfPart(text: string, longest: number): number {
  const sequence = text.lastIndexOf('\u001b', longest)
  const end = sequence > longest - 64 && sequence > 0 ? sequence : longest
  const before = text.charCodeAt(end - 1)
  return before >= 0xd800 && before <= 0xdbff ? end - 1 : end
}
