import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../../../../../test-support/lane.ts'
import { createPhoneNumbers } from './create-phone-numbers.ts'
import { e164PhoneNumbers } from './e164-phone-numbers.ts'

const phoneNumbers = createPhoneNumbers()

describe('phone numbers by the plans of all countries', () => {
  it.each([
    ['+6591234567', 'SG', true, true],
    ['+14165551234', 'CA', true, true],
    ['+12125551234', 'US', true, true],
    ['+85211111111', 'HK', false, true],
    ['+852111111111111111', 'HK', false, false],
  ])('%s: region %s, valid %s, possible %s', (text, region, isValid, isPossible) => {
    expect(phoneNumbers.parse(text)).toMatchObject({ e164: text, region, isValid, isPossible })
  })

  it('keep the leading zero of Italian national numbers', () => {
    expect(phoneNumbers.parse('+39 02 3661 8300')).toMatchObject({
      e164: '+390236618300',
      countryCallingCode: '39',
      national: '0236618300',
    })
  })

  it('have no region if their code has none', () => {
    expect(phoneNumbers.parse('+80012345678')).not.toHaveProperty('region')
  })

  it.each(['', 'hello', '+1', '6591234567', '+999123456789', `+65${'9'.repeat(1e5)}`])(
    'are not read from %.20s',
    (text) => {
      expect(phoneNumbers.parse(text)).toBeUndefined()
    },
  )

  it('never throw, and split valid numbers as the check by form does', () => {
    const text = fc.oneof(
      fc.stringMatching(/^\+[1-9][0-9 -]{6,16}$/),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(text, (given) => {
        const number = phoneNumbers.parse(given)
        if (number === undefined) return
        expect(`+${number.countryCallingCode}${number.national}`).toBe(number.e164)
        if (!number.isValid) return
        const { countryCallingCode, national } = number
        expect(e164PhoneNumbers.parse(number.e164)).toMatchObject({ countryCallingCode, national })
      }),
      { numRuns: runsOf(60) },
    )
  })
})
