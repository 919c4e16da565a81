import { describe, expect, it } from 'vitest'
import { createPhoneNumbers } from '../phone/create-phone-numbers.ts'
import { e164PhoneNumbers } from '../phone/e164-phone-numbers.ts'
import { normalizePhone, type PhoneRules } from './phone.ts'

const rules: PhoneRules = {
  maxLength: 40,
  validation_method: 'isValidNumber',
  phoneNumbers: createPhoneNumbers(),
}
const byForm: PhoneRules = { ...rules, phoneNumbers: e164PhoneNumbers }
const wrongFormat = { problem: { kind: 'format', details: { format: 'phone' } } }
const blocked = {
  problem: { kind: 'blocked', details: { reason: 'PhoneNumberCountryCodeAllowlist' } },
}

describe('a phone number', () => {
  it.each([
    ['by numbering plans', rules],
    ['by its format', byForm],
  ])('%s is its own key', (_what, given) => {
    const read = { normalized: '+6591234567', uniqueKey: '+6591234567' }
    expect(normalizePhone('+6591234567', given, 'create')).toEqual(read)
    expect(normalizePhone('+6591234567', given, 'look-up')).toEqual(read)
  })

  it.each([
    '+65 9123 4567',
    '+65-91234567',
    '6591234567',
    '+65',
    'maya',
    '+6591234567x5',
    '+999123456789',
  ])('is not %j', (text) => {
    expect(normalizePhone(text, rules, 'create')).toEqual(wrongFormat)
    expect(normalizePhone(text, byForm, 'look-up')).toEqual(wrongFormat)
  })

  it('must be in use, or only of a possible length, depending on the configuration', () => {
    const possible: PhoneRules = { ...rules, validation_method: 'isPossibleNumber' }
    expect(normalizePhone('+85211111111', rules, 'create')).toEqual(wrongFormat)
    expect(normalizePhone('+85211111111', possible, 'create')).toHaveProperty('normalized')
    expect(normalizePhone('+852111111111111111', possible, 'create')).toEqual(wrongFormat)
  })

  it.each([
    ['of an allowed country', '+6591234567', rules, ['SG', 'HK'], true],
    ['of another country', '+6591234567', rules, ['HK'], false],
    ['of a country with a shared code', '+14165551234', rules, ['CA'], true],
    ['of another country with that code', '+14165551234', rules, ['US'], false],
    ['of a shared code, by its format', '+14165551234', byForm, ['US'], true],
    ['of another code, by its format', '+14165551234', byForm, ['SG'], false],
    ['of no country', '+80012345678', rules, ['SG'], false],
  ] as const)('%s %s: allowed among %3$j is %4$j', (_what, text, given, allowlist, isAllowed) => {
    const withList = { ...given, allowlist: new Set<string>(allowlist) }
    const created = normalizePhone(text, withList, 'create')
    if (isAllowed) expect(created).toHaveProperty('normalized', text)
    else expect(created).toEqual(blocked)
    expect(normalizePhone(text, withList, 'look-up')).toHaveProperty('normalized', text)
    expect(normalizePhone(text, given, 'create')).toHaveProperty('normalized', text)
  })
})
