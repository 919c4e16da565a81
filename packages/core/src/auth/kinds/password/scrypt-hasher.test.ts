import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../../../../../../test-support/lane.ts'
import { createScryptHasher } from './scrypt-hasher.ts'

const cheap = { N: 2 ** 10, r: 8, p: 1 }
const hasher = createScryptHasher(cheap)
/** Vectors of RFC 7914; the first has a salt of four bytes. */
const ofShortSalt =
  '$scrypt$ln=10,r=8,p=16$TmFDbA$/bq+HJ00cgB4VucZDQHp/nxq18vII/w53N14Y0vc0EFM/yBjAo9lPhMrgLZPzAUtALCpMsvNvLbTgKUAI3zDMA'
const foreign =
  '$scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGU$cCO9yzr9c0hGHAbNgf046/2o+7qQT44+qbVD9lRdofLVQylVYT8Pz2LUlwUkKpr55h6F3A1lHkDfzwF7RVdYhw'

describe('the scrypt hasher', () => {
  it('verifies its own hashes, and no other password', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.string(), async (password, other) => {
        const hash = await hasher.hash(password)
        expect(await hasher.verify(password, hash)).toBe(true)
        if (other !== password) expect(await hasher.verify(other, hash)).toBe(false)
      }),
      { numRuns: runsOf(20) },
    )
  })

  it('records the cost in the hash and never makes the same one twice', async () => {
    const [one, two] = await Promise.all([hasher.hash('a'), hasher.hash('a')])
    expect(one).toMatch(/^\$scrypt\$ln=10,r=8,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(one).not.toBe(two)
  })

  it('uses the first parameters that OWASP recommends by default', async () => {
    expect(await createScryptHasher().hash('a')).toMatch(/^\$scrypt\$ln=17,r=8,p=1\$/)
  })

  it('verifies hashes of another cost', async () => {
    expect(await hasher.verify('pleaseletmein', foreign)).toBe(true)
    expect(await hasher.verify('pleaseletmeIn', foreign)).toBe(false)
  })

  it.each([
    ['nothing', ''],
    ['another sort', '$2b$10$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2'],
    ['an invalid cost', '$scrypt$ln=0,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA'],
    ['no passes', '$scrypt$ln=10,r=8,p=0$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA'],
    ['two GiB', '$scrypt$ln=21,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA'],
    ['a block of a GiB', '$scrypt$ln=1,r=999999,p=9$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA'],
    ['minutes', '$scrypt$ln=17,r=8,p=99$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA'],
    ['unending rounds', '$scrypt$ln=99,r=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA'],
    ['a short salt', ofShortSalt],
    ['no hash', '$scrypt$ln=10,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$'],
    ['padding', '$scrypt$ln=10,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA==$AAAAAAAAAAAAAAAAAAAAAA'],
    ['a line break', '$scrypt$ln=10,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA\n'],
  ])('does not accept a hash with %s', async (_what, hash) => {
    expect(await hasher.verify('password', hash)).toBe(false)
    expect(hasher.needsRehash(hash)).toBe(true)
  })

  it('wants a rehash exactly if the cost differs or the hash is short', async () => {
    const hash = await hasher.hash('a')
    expect(hasher.needsRehash(hash)).toBe(false)
    expect(createScryptHasher({ ...cheap, N: 2 ** 11 }).needsRehash(hash)).toBe(true)
    expect(createScryptHasher({ ...cheap, r: 4 }).needsRehash(hash)).toBe(true)
    expect(createScryptHasher({ ...cheap, p: 2 }).needsRehash(hash)).toBe(true)
    expect(createScryptHasher({ N: 2 ** 14 }).needsRehash(foreign)).toBe(true)
    expect(hasher.needsRehash(hash.slice(0, -1))).toBe(true)
  })

  it('refuses passwords while too many wait, and recovers', async () => {
    const small = createScryptHasher({ ...cheap, maxParallel: 1, maxWaiting: 1 })
    const hash = await small.hash('a')
    const results = await Promise.allSettled(['a', 'b', 'c', 'a'].map((p) => small.verify(p, hash)))
    expect(results).toMatchObject([
      { value: true },
      { value: false },
      { reason: { reason: 'TooManyRequest', info: { retryAfterSeconds: 1 } } },
      { reason: { reason: 'TooManyRequest' } },
    ])
    expect(JSON.stringify(results)).not.toContain(hash)
    expect(await small.verify('a', hash)).toBe(true)
  })

  it('does not block the event loop', async () => {
    const busy = createScryptHasher({ N: 2 ** 15 })
    let turns = 0
    let isDone = false
    const hashing = busy.hash('a').then(() => {
      isDone = true
    })
    while (!isDone) {
      turns++
      await new Promise(setImmediate)
    }
    await hashing
    expect(turns).toBeGreaterThan(2)
  })

  it.each([
    [{ N: 1000 }, /N=1000/],
    [{ N: 1 }, /N=1,/],
    [{ N: 2 ** 21 }, /at most 1 GiB/],
    [{ r: 0 }, /options.r: .*, got 0/],
    [{ p: 1.5 }, /options.p: .*, got 1.5/],
    [{ maxParallel: 0 }, /options.maxParallel: /],
  ])('is not created with %j', (options, message) => {
    expect(() => createScryptHasher(options)).toThrow(message)
    expect(() => createScryptHasher(options)).toThrow(
      expect.objectContaining({ reason: 'InvalidInput' }),
    )
  })
})
