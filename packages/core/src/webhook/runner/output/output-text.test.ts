import { describe, expect, it } from 'vitest'
import { keepBytes, outputText } from './output-text.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const whole = (bytes: Uint8Array) => ({ bytes, total: bytes.length })

describe('the text of an output', () => {
  it('is the output, with NUL and a byte-order mark in it', () => {
    expect(outputText(whole(bytesOf('\uFEFFa\0ü€😀')), 'head')).toBe('\uFEFFa\0ü€😀')
    expect(outputText(whole(new Uint8Array()), 'head')).toBe('')
  })

  it('has a replacement for bytes that are not UTF-8', () => {
    const bytes = Uint8Array.from([0x61, 0xff, 0x62, 0xe2, 0x82])
    expect(outputText(whole(bytes), 'head')).toBe('a\uFFFDb\uFFFD')
    expect(outputText(whole(bytes), 'tail')).toBe('a\uFFFDb\uFFFD')
  })

  it('ends before a split character', () => {
    const bytes = bytesOf('aü€😀b')
    const texts = Array.from({ length: bytes.length }, (_, length) =>
      outputText(keepBytes(whole(bytes), length, 'head'), 'head'),
    )
    expect(texts).toEqual(['', 'a', 'a', 'aü', 'aü', 'aü', 'aü€', 'aü€', 'aü€', 'aü€', 'aü€😀'])
  })

  it('starts after a split character', () => {
    const bytes = bytesOf('aü€😀b')
    const texts = Array.from({ length: bytes.length }, (_, length) =>
      outputText(keepBytes(whole(bytes), length, 'tail'), 'tail'),
    )
    expect(texts).toEqual(['', 'b', 'b', 'b', 'b', '😀b', '😀b', '😀b', '€😀b', '€😀b', 'ü€😀b'])
  })

  it('drops no more than a character of output that is not UTF-8 at all', () => {
    const bytes = new Uint8Array(10).fill(0x80)
    expect(outputText(keepBytes(whole(bytes), 8, 'head'), 'head')).toBe('\uFFFD'.repeat(8))
    expect(outputText(keepBytes(whole(bytes), 8, 'tail'), 'tail')).toBe('\uFFFD'.repeat(5))
  })

  it('keeps its total when it is shortened', () => {
    expect(keepBytes({ bytes: bytesOf('abc'), total: 9 }, 2, 'tail')).toEqual({
      bytes: bytesOf('bc'),
      total: 9,
    })
    expect(keepBytes({ bytes: bytesOf('abc'), total: 9 }, 3, 'tail').bytes).toEqual(bytesOf('abc'))
  })
})
