import { expect, it } from 'vitest'
import { loadJose } from './load-jose.ts'

it('jose is loaded', async () => {
  expect(await loadJose()).toHaveProperty('jwtVerify')
})

it('jose is named where it is missing', async () => {
  const cause = new Error('Cannot find package')
  await expect(loadJose(() => Promise.reject(cause))).rejects.toMatchObject({
    kind: 'InternalError',
    reason: 'MissingPackage',
    message: expect.stringContaining('npm install jose@6'),
    cause,
  })
})
