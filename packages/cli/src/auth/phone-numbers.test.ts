import { expect, it } from 'vitest'
import { loadPhoneNumbers } from './phone-numbers.ts'

it('uses national numbering plans if the package is installed', async () => {
  const numbers = await loadPhoneNumbers()
  expect(numbers?.parse('+14155550132')).toMatchObject({ region: 'US', isValid: true })
  expect(numbers?.parse('+10000000000')).toMatchObject({ isValid: false })
})

it('is undefined without the package', async () => {
  const missing = new Error(`Cannot find package 'libphonenumber-js'`)
  const load = () => Promise.reject(Object.assign(missing, { code: 'ERR_MODULE_NOT_FOUND' }))
  expect(await loadPhoneNumbers(load)).toBe(undefined)
})
