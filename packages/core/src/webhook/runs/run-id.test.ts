import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRunId } from './run-id.ts'

const bytes = (value: number): Uint8Array => new Uint8Array(10).fill(value)

describe('createRunId', () => {
  it('is 48 bits of time and 80 random ones in base 32', () => {
    expect(createRunId(0, bytes(0))).toBe(`run_${'0'.repeat(26)}`)
    expect(createRunId(2 ** 48 - 1, bytes(255))).toBe(`run_7${'z'.repeat(25)}`)
    expect(createRunId(1_469_922_850_259, bytes(0))).toBe('run_01arz3ndek0000000000000000')
    expect(createRunId(0, Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 1, 31))).toBe(
      'run_0000000000000000000000008z',
    )
  })

  it('sorts by time', () => {
    const instant = fc.nat(2 ** 42)
    const random = fc.uint8Array({ minLength: 10, maxLength: 10 })
    fc.assert(
      fc.property(instant, instant, random, random, (a, b, ofA, ofB) => {
        const ids = [createRunId(a, ofA), createRunId(b, ofB)]
        expect(ids.every((id) => /^run_[0-9a-hjkmnp-tv-z]{26}$/.test(id))).toBe(true)
        if (a !== b) expect((ids[0] ?? '') < (ids[1] ?? '')).toBe(a < b)
      }),
    )
  })

  it('requires exactly ten random bytes', () => {
    expect(() => createRunId(0, new Uint8Array(9))).toThrow(RangeError)
  })
})
