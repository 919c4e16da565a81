import { getCountries, getCountryCallingCode } from 'libphonenumber-js/max'
import { describe, expect, it } from 'vitest'
import { callingCodeOf, regionsOf } from './calling-codes.ts'

describe('country calling codes', () => {
  it('are the same as in libphonenumber for every region', () => {
    for (const region of getCountries()) {
      const code = getCountryCallingCode(region)
      expect(callingCodeOf(`${code}123456789`)).toBe(code)
      expect(regionsOf(code)).toContain(region)
    }
  })

  it('are never a prefix of each other, so the digits of a number determine its code', () => {
    const codes = Array.from({ length: 1_000 }, (_, i) => String(i)).filter(
      (code) => callingCodeOf(code) === code,
    )
    expect(codes.length).toBeGreaterThan(200)
    for (const code of codes) {
      expect(codes.filter((other) => other !== code && other.startsWith(code))).toEqual([])
    }
  })

  it('may belong to no region', () => {
    expect(callingCodeOf('80012345678')).toBe('800')
    expect(regionsOf('800')).toEqual([])
  })

  it.each(['', '0', '999', '6', '210123'])('do not include the beginning of %j', (digits) => {
    expect(callingCodeOf(digits)).toBeUndefined()
    expect(regionsOf(digits)).toEqual([])
  })
})
