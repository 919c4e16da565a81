import { expect, it } from 'vitest'
import { loadZxcvbn } from './load-zxcvbn.ts'

it('loads zxcvbn', async () => {
  expect((await loadZxcvbn())('password').score).toBe(0)
})

it('names zxcvbn if it is missing', async () => {
  const cause = new Error('Cannot find package')
  await expect(loadZxcvbn(() => Promise.reject(cause))).rejects.toMatchObject({
    kind: 'InternalError',
    reason: 'MissingPackage',
    message: expect.stringContaining('npm install zxcvbn@4.4.2'),
    cause,
  })
})
