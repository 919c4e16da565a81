import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomBytes } from '../../../crypto/crypto.ts'
import { createRecoveryCodes, normalizeRecoveryCode } from './recovery-code.ts'

describe('recovery codes', () => {
  it('are as many as requested, of ten characters, and all different', () => {
    const codes = createRecoveryCodes(50, randomBytes)
    expect(new Set(codes).size).toBe(50)
    for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{10}$/)
  })

  it('are different even if the random source repeats itself', () => {
    const draws = [0, 0, 255, 0, 1]
    const codes = createRecoveryCodes(3, (size) => new Uint8Array(size).fill(draws.shift() ?? 0))
    expect(codes).toEqual(['0000000000', 'ZZZZZZZZZZ', '040G208104'])
  })

  it('fail if the random source only repeats itself', () => {
    expect(() => createRecoveryCodes(2, (size) => new Uint8Array(size))).toThrow(/the same bytes/)
  })

  it('are compared in one form, however they were typed', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 7, maxLength: 7 }),
        fc.array(fc.tuple(fc.nat(10), fc.constantFrom(' ', '-', '\t', '\u00a0')), { maxLength: 5 }),
        fc.boolean(),
        (bytes, separators, isLower) => {
          const [code = ''] = createRecoveryCodes(1, () => bytes)
          let typed = code.replaceAll('0', 'O').replaceAll('1', isLower ? 'l' : 'I')
          if (isLower) typed = typed.toLowerCase()
          for (const [at, sign] of separators) typed = typed.slice(0, at) + sign + typed.slice(at)
          expect(normalizeRecoveryCode(typed)).toBe(code)
          expect(normalizeRecoveryCode(code)).toBe(code)
        },
      ),
    )
  })

  it.each([
    '',
    '   ',
    '7H2KQ9W',
    '7'.repeat(33),
    '7H2KQ9WX3é',
    '7H2KQ9WX3ſ',
    '7H2KQ9WX3ı',
    '7H2KQ_9WX3M',
  ])('cannot be %j', (text) => {
    expect(normalizeRecoveryCode(text)).toBeUndefined()
  })
})
