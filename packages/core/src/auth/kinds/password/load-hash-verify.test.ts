import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { createHashThread } from './hash-thread.ts'
import { hashVerifyAt, loadBcryptVerify } from './load-hash-verify.ts'

const password = new TextEncoder().encode('correct horse')
const hash = '$2b$05$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2'
/** Has a cost that takes a second. */
const costly = '$2b$13$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2'

it('hash-wasm compares without blocking other work', async () => {
  const verify = loadBcryptVerify()
  expect(await verify({ password, hash })).toBe(true)
  expect(await verify({ password: new TextEncoder().encode('x'), hash })).toBe(false)
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  count()
  expect(await verify({ password, hash: costly })).toBe(false)
  isOver = true
  expect(turns).toBeGreaterThan(100)
})

it('a failed comparison does not affect others', async () => {
  const verify = loadBcryptVerify()
  const [bad, good] = await Promise.allSettled([
    verify({ password, hash: 'none' }),
    verify({ password, hash }),
  ])
  expect(bad.status).toBe('rejected')
  expect(good).toEqual({ status: 'fulfilled', value: true })
})

it('a thread that cannot run fails its requests, and the next request starts another', async () => {
  const verify = createHashThread('/nowhere/hash-wasm.js', 'bcryptVerify')
  for (const _ of [1, 2]) {
    await expect(verify({ password, hash })).rejects.toThrow('/nowhere/hash-wasm.js')
  }
  const found = createHashThread(
    createRequire(import.meta.url).resolve('hash-wasm'),
    'bcryptVerify',
  )
  expect(await found({ password, hash })).toBe(true)
})

it('names hash-wasm if it is missing', () => {
  const cause = new Error('Cannot find package')
  const find = (): string => {
    throw cause
  }
  expect(() => hashVerifyAt(find, 'bcryptVerify')).toThrow(
    expect.objectContaining({
      kind: 'InternalError',
      reason: 'MissingPackage',
      message: expect.stringContaining('npm install hash-wasm'),
      cause,
    }),
  )
})
