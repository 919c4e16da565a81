import { getCountries } from 'libphonenumber-js/max'
import { expect, it } from 'vitest'
import { countryCodes } from './country-codes.ts'

it('the codes of countries are all 249, each with a name', () => {
  expect(countryCodes.size).toBe(249)
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  expect([...countryCodes].filter((code) => names.of(code) === undefined)).toEqual([])
})

it('only three regions with phone numbers of their own have none', () => {
  expect(getCountries().filter((code) => !countryCodes.has(code))).toEqual(['AC', 'TA', 'XK'])
})
