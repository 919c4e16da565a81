import { createReadStream } from 'node:fs'

/** The lines of a file without their ends. Only a line feed ends one: JSON holds the other line ends of Unicode as they are. */
export async function* linesOf(filename: string): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of createReadStream(filename, 'utf8')) {
    const lines = (rest + String(piece)).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}
