import { expect, it } from 'vitest'
import { loadPhoneNumbers } from './phone-numbers.ts'

const missing = (name: string): Error =>
  Object.assign(new Error(`Cannot find package '${name}'`), { code: 'ERR_MODULE_NOT_FOUND' })

it('knows the numbering plans of countries where the package is installed', async () => {
  const numbers = await loadPhoneNumbers()
  expect(numbers?.parse('+14155550132')).toMatchObject({ region: 'US', isValid: true })
  expect(numbers?.parse('+10000000000')).toMatchObject({ isValid: false })
})

it('knows nothing where it is not', async () => {
  expect(await loadPhoneNumbers(() => Promise.reject(missing('libphonenumber-js')))).toBe(undefined)
})

it.each([missing('something-else'), new Error('libphonenumber-js is broken'), 'libphonenumber-js'])(
  'hides no other failure: %s',
  async (failure) => {
    await expect(loadPhoneNumbers(() => Promise.reject(failure))).rejects.toBe(failure)
  },
)
