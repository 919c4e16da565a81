import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { e164PhoneNumbers } from './e164-phone-numbers.ts'

describe('phone numbers by their form', () => {
  it('have code, national number and region', () => {
    expect(e164PhoneNumbers.parse('+6591234567')).toEqual({
      e164: '+6591234567',
      countryCallingCode: '65',
      national: '91234567',
      region: 'SG',
      isValid: true,
      isPossible: true,
    })
  })

  it('have no region if several regions share the code', () => {
    expect(e164PhoneNumbers.parse('+14165551234')).not.toHaveProperty('region')
    expect(e164PhoneNumbers.parse('+80012345678')).not.toHaveProperty('region')
  })

  it.each([' +65 9123-4567 ', '+65-9123-4567', '+6591234567'])('are read from %j', (text) => {
    expect(e164PhoneNumbers.parse(text)).toMatchObject({ e164: '+6591234567' })
  })

  it.each([
    '',
    '6591234567',
    '++6591234567',
    '+0691234567',
    '+65',
    '+659123',
    '+852111111111111111',
    '+999123456789',
    '+65(9123)4567',
    '+65 9123 4567 x5',
    '+65.9123.4567',
    '+65\u00a091234567',
    '+６５91234567',
    '+6591234567\n',
  ])('are not read from %j', (text) => {
    expect(e164PhoneNumbers.parse(text)).toBeUndefined()
  })

  it('consist of their code and national number', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\+[1-9][0-9]{6,14}$/), (text) => {
        const number = e164PhoneNumbers.parse(text)
        if (number === undefined) return
        expect(`+${number.countryCallingCode}${number.national}`).toBe(text)
        expect(number.e164).toBe(text)
      }),
    )
  })
})
