import { expect, it } from 'vitest'
import { loadBcryptVerify } from './load-bcrypt-verify.ts'

it('hash-wasm is loaded', async () => {
  const verify = await loadBcryptVerify()
  const hash = '$2b$05$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2'
  expect(await verify({ password: new TextEncoder().encode('correct horse'), hash })).toBe(true)
})

it('hash-wasm is named where it is missing', async () => {
  const cause = new Error('Cannot find package')
  await expect(loadBcryptVerify(() => Promise.reject(cause))).rejects.toMatchObject({
    kind: 'InternalError',
    reason: 'MissingPackage',
    message: expect.stringContaining('npm install hash-wasm'),
    cause,
  })
})
