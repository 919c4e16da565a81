import { getCountries } from 'libphonenumber-js/max'
import { expect, it } from 'vitest'
import { countryCodes } from './country-codes.ts'

it('there are 249 country codes, each with a name', () => {
  expect(countryCodes.size).toBe(249)
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  expect([...countryCodes].filter((code) => names.of(code) === undefined)).toEqual([])
})

it('only three regions with phone numbers have no country code', () => {
  expect(getCountries().filter((code) => !countryCodes.has(code))).toEqual(['AC', 'TA', 'XK'])
})
