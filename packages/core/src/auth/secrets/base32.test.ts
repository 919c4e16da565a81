import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeBase32, encodeBase32 } from './base32.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('Base32', () => {
  it.each([
    ['', ''],
    ['f', 'MY======'],
    ['fo', 'MZXQ===='],
    ['foo', 'MZXW6==='],
    ['foob', 'MZXW6YQ='],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI======'],
  ])('agrees with RFC 4648 about %j', (text, padded) => {
    expect(encodeBase32(bytesOf(text))).toBe(padded.replaceAll('=', ''))
    expect(decodeBase32(padded)).toEqual(bytesOf(text))
  })

  it('decodes to the bytes that were encoded', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(decodeBase32(encodeBase32(bytes))).toEqual(bytes)
      }),
    )
  })

  it('decodes only the canonical encoding', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ABMYZ2367') }), (text) => {
        const bytes = decodeBase32(text)
        if (bytes !== undefined) expect(encodeBase32(bytes)).toBe(text)
      }),
    )
  })

  it('accepts what people type', () => {
    expect(decodeBase32('mzxw 6ytb-oi')).toEqual(bytesOf('foobar'))
  })

  it.each(['1', 'A', 'MZX', 'MZXW60', 'MY=Y', 'MZ', 'ſY', '😀'])('does not decode %j', (text) => {
    expect(decodeBase32(text)).toBeUndefined()
  })

  it('takes 32 characters for a secret of 20 bytes', () => {
    expect(encodeBase32(new Uint8Array(20))).toBe('A'.repeat(32))
  })
})
