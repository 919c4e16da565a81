import { type BcryptVerify, loadBcryptVerify } from '@gatehouse/core/auth'
import { bcrypt } from 'hash-wasm'
import { beforeAll, describe, expect, it } from 'vitest'
import { createBasicAuth, isBcryptHash } from './basic-auth.ts'

const header = (name: string, password: string): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

describe('createBasicAuth()', () => {
  let hash: string
  let verify: BcryptVerify
  let comparisons: number
  const counted: BcryptVerify = (options) => {
    comparisons++
    return verify(options)
  }
  beforeAll(async () => {
    hash = await bcrypt({
      password: 'pa:ss wörd',
      salt: new Uint8Array(16),
      costFactor: 4,
      outputType: 'encoded',
    })
    verify = loadBcryptVerify()
  })

  it('accepts the password of a user, including colons and letters beyond ASCII', async () => {
    const auth = createBasicAuth({ users: new Map([['ann', hash]]), verify })
    expect(await auth(header('ann', 'pa:ss wörd'))).toBe('accepted')
    expect(await auth(header('ann', 'pa:ss wörd').replace('Basic', 'basic'))).toBe('accepted')
  })

  it('accepts a password in another Unicode form, and one that was hashed in that form', async () => {
    const typed = await bcrypt({
      password: 'wo\u0308rd',
      salt: new Uint8Array(16),
      costFactor: 4,
      outputType: 'encoded',
    })
    const users = new Map([
      ['ann', hash],
      ['bob', typed],
    ])
    const auth = createBasicAuth({ users, verify })
    expect(await auth(header('ann', 'pa:ss wo\u0308rd'))).toBe('accepted')
    expect(await auth(header('bob', 'wo\u0308rd'))).toBe('accepted')
    expect(await auth(header('bob', 'wo\u0308rd '))).toBe('refused')
  })

  it('refuses a wrong password, an unknown user, no header and a header that is not Basic', async () => {
    const auth = createBasicAuth({ users: new Map([['ann', hash]]), verify })
    for (const given of [
      header('ann', 'wrong'),
      header('ann', ''),
      header('ann', 'x'.repeat(100)),
      header('bob', 'pa:ss wörd'),
      header('__proto__', 'pa:ss wörd'),
      null,
      '',
      'Basic',
      'Basic !!!',
      `Basic ${Buffer.from('no colon').toString('base64')}`,
      `Bearer ${hash}`,
    ]) {
      expect(await auth(given)).toBe('refused')
    }
  })

  it('compares an accepted password once, and a refused one every time', async () => {
    const auth = createBasicAuth({ users: new Map([['ann', hash]]), verify: counted })
    comparisons = 0
    for (let i = 0; i < 5; i++) await auth(header('ann', 'pa:ss wörd'))
    expect(comparisons).toBe(1)
    for (let i = 0; i < 3; i++) await auth(header('ann', 'wrong'))
    expect(comparisons).toBe(4)
  })

  it('compares for an unknown user as well, so that the response time does not reveal names', async () => {
    const auth = createBasicAuth({ users: new Map([['ann', hash]]), verify: counted })
    comparisons = 0
    await auth(header('nobody', 'wrong'))
    await auth(header('ann', ''))
    expect(comparisons).toBe(2)
  })

  it('lets a bounded number of requests wait for a comparison', async () => {
    let release = (): void => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const held: BcryptVerify = async (options) => {
      await released
      return verify(options)
    }
    const auth = createBasicAuth({ users: new Map([['ann', hash]]), verify: held })
    let busy = 0
    const attempts = Array.from({ length: 100 }, async (_, i) => {
      const outcome = await auth(header('ann', `guess ${i}`))
      if (outcome === 'busy' && ++busy === 36) release()
      return outcome
    })
    const outcomes = await Promise.all(attempts)
    expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(64)
    expect(outcomes.filter((outcome) => outcome === 'busy')).toHaveLength(36)
    expect(await auth(header('ann', 'pa:ss wörd'))).toBe('accepted')
  })
})

describe('isBcryptHash()', () => {
  it('accepts the versions of bcrypt and their format', () => {
    const rest = 'a'.repeat(53)
    expect(isBcryptHash(`$2y$10$${rest}`)).toBe(true)
    expect(isBcryptHash(`$2a$04$${rest}`)).toBe(true)
    expect(isBcryptHash(`$2y$03$${rest}`)).toBe(false)
    expect(isBcryptHash(`$2y$10$${rest.slice(1)}`)).toBe(false)
    expect(isBcryptHash('secret')).toBe(false)
  })
})
