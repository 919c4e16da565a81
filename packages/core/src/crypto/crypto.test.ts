import { describe, expect, it } from 'vitest'
import { hashText, hmacOf, randomBytes, timingSafeEqual } from './crypto.ts'

describe('hmacOf', () => {
  it('signs pieces like their concatenation', () => {
    const whole = hmacOf('sha256', 'Jefe', ['what do ya want for nothing?'])
    const pieces = hmacOf('sha256', 'Jefe', [
      'what do ',
      new TextEncoder().encode('ya want'),
      ' for nothing?',
    ])
    expect(whole.toString('hex')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    )
    expect(pieces).toEqual(whole)
  })
})

describe('hashText', () => {
  it('hashes UTF-8, and a lone surrogate as U+FFFD', () => {
    expect(hashText('sha1', 'abc').toString('hex')).toBe('a9993e364706816aba3e25717850c26c9cd0d89d')
    expect(hashText('sha512', '\ud800')).toEqual(hashText('sha512', '\ufffd'))
  })
})

describe('timingSafeEqual', () => {
  it('compares bytes, also of different lengths', () => {
    expect(timingSafeEqual(Uint8Array.of(1, 2), Uint8Array.of(1, 2))).toBe(true)
    expect(timingSafeEqual(Uint8Array.of(1, 2), Uint8Array.of(1, 3))).toBe(false)
    expect(timingSafeEqual(Uint8Array.of(1, 2), Uint8Array.of(1))).toBe(false)
    expect(timingSafeEqual(new Uint8Array(), new Uint8Array())).toBe(true)
  })
})

describe('randomBytes', () => {
  it('have the requested length, and differ each time', () => {
    expect(randomBytes(16)).toHaveLength(16)
    expect(randomBytes(16)).not.toEqual(randomBytes(16))
  })

  it('are returned once, and not shared', () => {
    const seen = new Set<string>()
    const lengths = [10, 16, 32, 256, 257, 4_096]
    for (let turn = 0; turn < 200; turn++) {
      for (const length of lengths) {
        const bytes = randomBytes(length)
        expect(bytes).toHaveLength(length)
        seen.add(Buffer.from(bytes.subarray(0, 10)).toString('hex'))
        bytes.fill(0)
      }
    }
    expect(seen.size).toBe(200 * lengths.length)
  })
})
