import { describe, expect, it } from 'vitest'
import { createBcryptVerifier } from './bcrypt-hash.ts'
import { combineHashers } from './password-hasher.ts'
import { createScryptHasher } from './scrypt-hasher.ts'

const scrypt = createScryptHasher({ N: 2 ** 10 })
const hasher = combineHashers(scrypt, [createBcryptVerifier()])
const ofBcrypt = '$2b$05$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2'

describe('combined hashers', () => {
  it('hash with the preferred one', async () => {
    const hash = await hasher.hash('correct horse')
    expect(hash).toMatch(/^\$scrypt\$/)
    expect(await hasher.verify('correct horse', hash)).toBe(true)
    expect(await hasher.verify('correct house', hash)).toBe(false)
    expect(hasher.needsRehash(hash)).toBe(false)
  })

  it('verify the hashes of others, and want them rehashed', async () => {
    expect(await hasher.verify('correct horse', ofBcrypt)).toBe(true)
    expect(await hasher.verify('correct house', ofBcrypt)).toBe(false)
    expect(hasher.needsRehash(ofBcrypt)).toBe(true)
  })

  it('refuse hashes that none of them accepts', async () => {
    expect(await hasher.verify('correct horse', '$md5$x')).toBe(false)
    expect(hasher.needsRehash('$md5$x')).toBe(true)
  })
})
