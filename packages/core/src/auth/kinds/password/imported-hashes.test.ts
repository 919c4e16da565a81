import { describe, expect, it } from 'vitest'
import { createArgon2Verifier, isArgon2Hash } from './argon2-hash.ts'
import { createPbkdf2Verifier, isPbkdf2Hash } from './pbkdf2-hash.ts'
import { createScryptHasher, isScryptHash } from './scrypt-hasher.ts'

const password = 'correct horse'
const salt = 'MDEyMzQ1Njc4OWFiY2RlZg'

describe('the Argon2 verifier', () => {
  const verifier = createArgon2Verifier()

  // Made by hash-wasm.
  it.each([
    `$argon2id$v=19$m=64,t=2,p=1$${salt}$dPtrHTEawLtMiR9+/XloAkXZ+EtyrY+bvmHIbiufhk0`,
    `$argon2i$v=19$m=64,t=2,p=1$${salt}$+ZM6qIHKWUY4ZEkMSTQpzAefvkLMgPC7fLokalwJpuI`,
    `$argon2d$v=19$m=64,t=2,p=1$${salt}$8lhcvhjSIY6fPoLaURksQi2UXOTKBgu3qS4cG5SkmjA`,
  ])('verifies %.9s', async (hash) => {
    expect(verifier.accepts(hash)).toBe(true)
    expect(await verifier.verify(password, hash)).toBe(true)
    expect(await verifier.verify('correct horsf', hash)).toBe(false)
    expect(await verifier.verify('', hash)).toBe(false)
  })

  it.each([
    '$argon2id$v=16$m=64,t=2,p=1$',
    '$argon2id$v=19$m=262145,t=1,p=1$',
    '$argon2id$v=19$m=262144,t=5,p=1$',
    '$argon2id$v=19$m=64,t=0,p=1$',
    '$argon2id$v=19$m=64,t=2,p=17$',
    '$argon2id$v=19$m=7,t=2,p=1$',
  ])('refuses the parameters of %s, which are unknown or too costly', async (start) => {
    const hash = `${start}${salt}$dPtrHTEawLtMiR9+/XloAkXZ+EtyrY+bvmHIbiufhk0`
    expect(isArgon2Hash(hash)).toBe(false)
    expect(await verifier.verify(password, hash)).toBe(false)
  })
})

describe('the PBKDF2 verifier', () => {
  const verifier = createPbkdf2Verifier()

  // Made by Python's hashlib.
  it.each([
    `$pbkdf2-sha256$i=1000$${salt}$cBg8D2DungRB9k76szThf5ehfyBz991ay6PT8Srwk4M`,
    `$pbkdf2-sha256$i=1000,l=32$${salt}$cBg8D2DungRB9k76szThf5ehfyBz991ay6PT8Srwk4M`,
    `$pbkdf2-sha1$1000$${salt}$aUfE2vx5Q7zgbb0jx49AaNpXUQQ`,
    `$pbkdf2-sha512$1000$${salt}$OM0FAoIqCVK1sWtxDiffVlBejtLa.ks4TP71JiecwuSZCG8iLbnlIEPOMoVX.i2B2wkSxjQ8CRGR9OkNGuIPMQ`,
    'pbkdf2_sha256$1000$seasalt$mQnueSakb748zqBAC1tmWVZsZbi2zPGZarEzTGdfmso=',
  ])('verifies %.20s', async (hash) => {
    expect(verifier.accepts(hash)).toBe(true)
    expect(await verifier.verify(password, hash)).toBe(true)
    expect(await verifier.verify('correct horsf', hash)).toBe(false)
  })

  it.each([
    `$pbkdf2-md5$i=1000$${salt}$cBg8D2DungRB9k76szThf5ehfyBz991ay6PT8Srwk4M`,
    `$pbkdf2-sha256$i=0$${salt}$cBg8D2DungRB9k76szThf5ehfyBz991ay6PT8Srwk4M`,
    `$pbkdf2-sha256$i=2000001$${salt}$cBg8D2DungRB9k76szThf5ehfyBz991ay6PT8Srwk4M`,
    `$pbkdf2-sha256$i=1000$${salt}$short`,
  ])('refuses %s', async (hash) => {
    expect(isPbkdf2Hash(hash)).toBe(false)
    expect(await verifier.verify(password, hash)).toBe(false)
  })
})

describe('a scrypt hash of better-auth', () => {
  // Made by better-auth from "ｃorrect horse", whose first letter is full-width: its salt is the text of the hex digits.
  const [text, key] = [
    'eaaeea6fd145ec470d9cf92b96f98258',
    '7c9cb4be52722e66a89db1cacdb9703c9f8f0a3245864c1be7adbcba45787d99447c4cb8915c5f8f92fabc8a6fa08191563bb62a4c7bd251c1f3d1f659e178c2',
  ]
  const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  const tail = `$ln=14,r=16,p=1$${base64(Buffer.from(text))}$${base64(Buffer.from(key, 'hex'))}`
  const hasher = createScryptHasher({ N: 2 ** 14, r: 16 })

  it('is verified over the composed password, and due for rehashing', async () => {
    const hash = `$scrypt-nfkc${tail}`
    expect(isScryptHash(hash)).toBe(true)
    expect(await hasher.verify('ｃorrect horse', hash)).toBe(true)
    expect(await hasher.verify(password, hash)).toBe(true)
    expect(await hasher.verify('correct horsf', hash)).toBe(false)
    expect(hasher.needsRehash(hash)).toBe(true)
    expect(await hasher.verify('ｃorrect horse', `$scrypt${tail}`)).toBe(false)
  })
})
