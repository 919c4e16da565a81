import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byteAt, byteLength, firstRunes, runeCount, sliceBytes } from './byte-text.ts'

/** Any text, including lone surrogates. */
const text = fc
  .string({ unit: 'binary' })
  .chain((whole) => fc.nat(whole.length).map((at) => whole.slice(0, at) + whole.slice(at + 1)))

describe('byte-text', () => {
  it('counts bytes as an encoder writes them', () => {
    fc.assert(fc.property(text, (t) => byteLength(t) === new TextEncoder().encode(t).length))
  })

  it('counts code points', () => {
    fc.assert(fc.property(text, (t) => runeCount(t) === Array.from(t).length))
  })

  it('cuts between code points', () => {
    fc.assert(
      fc.property(
        text,
        fc.nat(20),
        (t, count) => firstRunes(t, count) === Array.from(t).slice(0, count).join(''),
      ),
    )
  })

  it('takes bytes, and marks truncated characters', () => {
    expect(sliceBytes('héllo', 0, 3)).toBe('hé')
    expect(sliceBytes('héllo', 2, 4)).toBe('\ufffdl')
    expect([byteAt('hé', 1), byteAt('hé', 3)]).toEqual([0xc3, undefined])
  })
})
