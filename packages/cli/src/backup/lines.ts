import { createReadStream } from 'node:fs'

/**
 * The lines of a file without their line ends. Only a line feed ends a line: JSON may contain the other line separators of
 * Unicode.
 */
export async function* linesOf(filename: string): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of createReadStream(filename, 'utf8')) {
    const lines = (rest + String(piece)).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}
