import { describe, expect, it } from 'vitest'
import { createLineSplitter } from './line-splitter.ts'

/** The lines for these pieces. */
function linesOf(...pieces: readonly (string | readonly number[])[]): string[] {
  const lines: string[] = []
  const splitter = createLineSplitter((stream, line) => lines.push(`${stream}: ${line}`))
  for (const piece of pieces) {
    const bytes =
      typeof piece === 'string' ? new TextEncoder().encode(piece) : Uint8Array.from(piece)
    splitter.add('stdout', bytes)
  }
  splitter.end()
  return lines
}

describe('lines of an output', () => {
  it('are passed on whole, however they arrive', () => {
    expect(linesOf('one\ntw', 'o\r\n', '\nrest')).toEqual([
      'stdout: one',
      'stdout: two',
      'stdout: ',
      'stdout: rest',
    ])
    expect(linesOf('one\n')).toEqual(['stdout: one'])
  })

  it('may have characters that are split between pieces', () => {
    expect(linesOf([0xe2, 0x82], [0xac, 0x0a])).toEqual(['stdout: €'])
    expect(linesOf([0xe2, 0x82])).toEqual(['stdout: \uFFFD'])
  })

  it('are passed on in parts if they do not end', () => {
    const lines = linesOf(...Array.from({ length: 30 }, () => 'x'.repeat(1_000)))
    expect(lines.map((line) => line.length - 'stdout: '.length)).toEqual([
      8_192, 8_192, 8_192, 5_424,
    ])
  })

  it('are separate for each stream', () => {
    const lines: string[] = []
    const splitter = createLineSplitter((stream, line) => lines.push(`${stream}: ${line}`))
    const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
    splitter.add('stdout', bytes('a'))
    splitter.add('stderr', bytes('b\n'))
    splitter.add('stdout', bytes('c\n'))
    expect(lines).toEqual(['stderr: b', 'stdout: ac'])
  })
})
