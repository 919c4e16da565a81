import { expect, it } from 'vitest'
import { loadIfInstalled } from './load-if-installed.ts'

const missing = (name: string): Error =>
  Object.assign(new Error(`Cannot find package '${name}'`), { code: 'ERR_MODULE_NOT_FOUND' })

it('returns what was loaded', async () => {
  expect(await loadIfInstalled('a', async () => 7)).toBe(7)
})

it('returns undefined if the package is not installed', async () => {
  const found = loadIfInstalled('@scope/a', () => Promise.reject(missing('@scope/a')))
  expect(await found).toBe(undefined)
})

it.each([missing('something-else'), new Error('@scope/a is broken'), '@scope/a'])(
  'rethrows any other failure: %s',
  async (failure) => {
    const found = loadIfInstalled('@scope/a', () => Promise.reject(failure))
    await expect(found).rejects.toBe(failure)
  },
)
