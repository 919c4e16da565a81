import { expect, it } from 'vitest'
import { loadOAuth4WebApi } from './load-oauth4webapi.ts'

it('loads oauth4webapi', async () => {
  expect(await loadOAuth4WebApi()).toHaveProperty('validateApplicationLevelSignature')
})

it('names oauth4webapi if it is missing', async () => {
  const cause = new Error('Cannot find package')
  await expect(loadOAuth4WebApi(() => Promise.reject(cause))).rejects.toMatchObject({
    kind: 'InternalError',
    reason: 'MissingPackage',
    message: expect.stringContaining('npm install oauth4webapi@3'),
    cause,
  })
})
