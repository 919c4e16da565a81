import { bcrypt } from 'hash-wasm'
import { describe, expect, it } from 'vitest'
import { sha512 } from '../../../crypto/crypto-secrets.ts'
import { createBcryptVerifier, isBcryptHash } from './bcrypt-hash.ts'

// Made by crypt(3) of libxcrypt.
const tail = '$05$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2'
const of80x = '$2b$05$abcdefghijklmnopqrstuujf8SX2ahXLwp9w/B.Y5XdysS6yR576q'
const ofUmlaut = '$2y$04$abcdefghijklmnopqrstuuF7KK/SfP9IRGj0pPJMr8GdtCS8xpmpC'
/** The fifth byte of this password's SHA-512 is zero. */
const zeroPassword = 'tidal-lantern-3'
const ofZero = '$2a$04$KBCwKxOzLha2MUDgW0PjXe6t6aa8iA8SGx21nGSh8z2QU2n7ByNzO'

const verifier = createBcryptVerifier()

describe('the bcrypt verifier', () => {
  it.each(['$2a', '$2b', '$2y'])('verifies %s', async (version) => {
    expect(verifier.accepts(version + tail)).toBe(true)
    expect(await verifier.verify('correct horse', version + tail)).toBe(true)
    expect(await verifier.verify('correct horsf', version + tail)).toBe(false)
  })

  it('encodes passwords as UTF-8', async () => {
    expect(await verifier.verify('päss', ofUmlaut)).toBe(true)
    expect(await verifier.verify('pass', ofUmlaut)).toBe(false)
  })

  it('compares the first 72 bytes, as when the hash was made', async () => {
    expect(await verifier.verify('x'.repeat(80), of80x)).toBe(true)
    expect(await verifier.verify('x'.repeat(72), of80x)).toBe(true)
    expect(await verifier.verify('x'.repeat(71), of80x)).toBe(false)
  })

  it('verifies hashes over a SHA-512, even with a zero byte', async () => {
    const digest = sha512(zeroPassword)
    expect(digest.indexOf(0)).toBe(4)
    expect(await verifier.verify(zeroPassword, `$bcrypt-sha512$${ofZero}`)).toBe(true)
    expect(await verifier.verify(zeroPassword, `$bcrypt-sha512${ofZero}`)).toBe(true)
    expect(await verifier.verify('tidal-lantern-4', `$bcrypt-sha512$${ofZero}`)).toBe(false)
    const ofStart = await bcrypt({
      password: digest.subarray(0, 4),
      salt: new Uint8Array(16),
      costFactor: 4,
      outputType: 'encoded',
    })
    expect(await verifier.verify(zeroPassword, `$bcrypt-sha512$${ofStart}`)).toBe(false)
  })

  it('verifies a password over its SHA-512 if it exceeds the limit of bcrypt', async () => {
    const password = 'x'.repeat(100)
    const hash = await bcrypt({
      password: sha512(password),
      salt: new Uint8Array(16),
      costFactor: 4,
      outputType: 'encoded',
    })
    expect(await verifier.verify(password, `$bcrypt-sha512$${hash}`)).toBe(true)
    expect(await verifier.verify(`${password}x`, `$bcrypt-sha512$${hash}`)).toBe(false)
  })

  it('does not accept the empty password for another', async () => {
    const ofZeroByte = await bcrypt({
      password: new Uint8Array(1),
      salt: new Uint8Array(16),
      costFactor: 4,
      outputType: 'encoded',
    })
    expect(await verifier.verify('', ofZeroByte)).toBe(false)
  })

  it.each([
    '',
    'plain',
    `$2x${tail}`,
    `$2b${tail}x`,
    `$2b${tail}\n`,
    `$2b${tail.replace('05', '03')}`,
    `$2b${tail.replace('05', '15')}`,
    `$2b${tail.replace('05', '31')}`,
    '$bcrypt-sha512$',
    `$bcrypt-sha512$$$2b${tail}`,
    '$scrypt$ln=10,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA',
  ])('does not accept %j as a hash', async (hash) => {
    expect(isBcryptHash(hash)).toBe(false)
    expect(verifier.accepts(hash)).toBe(false)
    expect(await verifier.verify('correct horse', hash)).toBe(false)
  })

  it('calls the given comparison, one at a time', async () => {
    const asked: { password: Uint8Array; hash: string }[] = []
    const given = createBcryptVerifier({
      maxWaiting: 1,
      bcryptVerify: async (question) => asked.push(question) === 1,
    })
    const results = await Promise.allSettled(
      ['a', 'b', 'c'].map((p) => given.verify(p, `$2y${tail}`)),
    )
    expect(results).toMatchObject([
      { value: true },
      { value: false },
      { reason: { reason: 'TooManyRequest', info: { retryAfterSeconds: 1 } } },
    ])
    expect(asked).toEqual([
      { password: Uint8Array.of(97), hash: `$2b${tail}` },
      { password: Uint8Array.of(98), hash: `$2b${tail}` },
    ])
  })
})
