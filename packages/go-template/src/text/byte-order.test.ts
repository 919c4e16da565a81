import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareBytes } from './byte-order.ts'

const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0x20, max: 0x7f }), fc.integer({ min: 0, max: 0x10ffff })), {
    maxLength: 6,
  })
  .map((codes) => String.fromCodePoint(...codes))
const text = anyText.map((any) => any.toWellFormed())

describe('the order of bytes', () => {
  it('is that of UTF-8', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const expected = Buffer.compare(Buffer.from(a), Buffer.from(b))
        expect(Math.sign(compareBytes(a, b))).toBe(expected)
      }),
    )
  })

  it('sorts characters above U+FFFF last, unlike UTF-16', () => {
    expect('\uff5e' < '😀').toBe(false)
    expect(compareBytes('\uff5e', '😀')).toBeLessThan(0)
  })

  it('is a total order of texts', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (a, b, c) => {
        expect(Math.sign(compareBytes(a, b))).toBe(-Math.sign(compareBytes(b, a)) + 0)
        expect(compareBytes(a, b) === 0).toBe(a === b)
        const [low, middle, high] = [a, b, c].sort(compareBytes)
        expect(compareBytes(low ?? '', middle ?? '')).toBeLessThanOrEqual(0)
        expect(compareBytes(low ?? '', high ?? '')).toBeLessThanOrEqual(0)
      }),
    )
  })
})
