import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomBytes } from './crypto.ts'
import {
  decryptAesGcm,
  deriveKey,
  encryptAesGcm,
  equalBytes,
  hmac,
  type ScryptCost,
  scryptHash,
  scryptMemory,
  sha512,
} from './crypto-secrets.ts'

const bytes = (hex: string): Uint8Array => Buffer.from(hex, 'hex')
const hex = (value: Uint8Array): string => Buffer.from(value).toString('hex')

describe('equalBytes', () => {
  it('is true only for the same bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (a, b) => {
        expect(equalBytes(a, Uint8Array.from(a))).toBe(true)
        expect(equalBytes(a, b)).toBe(hex(a) === hex(b))
      }),
    )
  })

  it('is false for different lengths', () => {
    expect(equalBytes(bytes('00'), bytes('0000'))).toBe(false)
  })
})

describe('hmac', () => {
  it('agrees with the second test case of RFC 2202 and RFC 4231', () => {
    const key = Buffer.from('Jefe')
    const text = 'what do ya want for nothing?'
    expect(hex(hmac('sha1', key, text))).toBe('effcdf6ae5eb2fa2d27416d5f184df9c259a7c79')
    expect(hex(hmac('sha256', key, text))).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    )
    expect(hmac('sha256', key, Buffer.from(text))).toEqual(hmac('sha256', key, text))
  })
})

describe('sha512', () => {
  it('agrees with the example of FIPS 180', () => {
    expect(hex(sha512('abc'))).toMatch(/^ddaf35a193617abacc417349ae204131.*2a9ac94fa54ca49f$/)
  })
})

describe('deriveKey', () => {
  it('returns 32 bytes that depend on the key and on the purpose', () => {
    const key = randomBytes(32)
    const keys = [
      deriveKey(key, 'a'),
      deriveKey(key, 'b'),
      deriveKey(randomBytes(32), 'a'),
      deriveKey(key, 'a'),
    ]
    expect(keys.map(({ length }) => length)).toEqual([32, 32, 32, 32])
    expect(new Set(keys.map(hex)).size).toBe(3)
    expect(keys[0]).toEqual(keys[3])
  })
})

describe('AES-GCM', () => {
  const key = bytes('feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308')
  const nonce = bytes('cafebabefacedbaddecaf888')

  it('agrees with test case 13 of its specification, for an empty text', () => {
    const sealed = encryptAesGcm(new Uint8Array(32), new Uint8Array(12), new Uint8Array(0), '')
    expect(hex(sealed)).toBe('530f8afbc74536b9a963b4f1c4cb738b')
  })

  it('agrees with test case 15', () => {
    const plaintext = bytes(
      'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255',
    )
    expect(hex(encryptAesGcm(key, nonce, plaintext, ''))).toBe(
      '522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015adb094dac5d93471bdec1a502270e3cc6c',
    )
  })

  it('decrypts only with the same key, nonce and associated data', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string(), (plaintext, associated) => {
        const sealed = encryptAesGcm(key, nonce, plaintext, associated)
        expect(decryptAesGcm(key, nonce, sealed, associated)).toEqual(Buffer.from(plaintext))
        expect(decryptAesGcm(key, nonce, sealed, `${associated}!`)).toBeUndefined()
        expect(decryptAesGcm(key, nonce.toReversed(), sealed, associated)).toBeUndefined()
        expect(decryptAesGcm(key.toReversed(), nonce, sealed, associated)).toBeUndefined()
        expect(decryptAesGcm(key, nonce, sealed.subarray(1), associated)).toBeUndefined()
      }),
    )
  })

  it('fails for data shorter than a tag', () => {
    expect(decryptAesGcm(key, nonce, new Uint8Array(15), '')).toBeUndefined()
  })
})

describe('scryptHash', () => {
  it('agrees with three vectors of RFC 7914', async () => {
    const hashOf = async (password: string, salt: string, cost: ScryptCost): Promise<string> =>
      hex(await scryptHash(password, Buffer.from(salt), 64, cost))
    expect(await hashOf('', '', { N: 16, r: 1, p: 1 })).toMatch(/^77d6576238657b203b19ca42c18a0497/)
    expect(await hashOf('password', 'NaCl', { N: 1024, r: 8, p: 16 })).toMatch(
      /^fdbabe1c9d3472007856e7190d01e9fe/,
    )
    expect(await hashOf('pleaseletmein', 'SodiumChloride', { N: 16384, r: 8, p: 1 })).toMatch(
      /^7023bdcb3afd7348461c06cd81fd38eb/,
    )
  })

  it('takes about 128 bytes for each of N times r', () => {
    expect(scryptMemory({ N: 2 ** 17, r: 8, p: 1 }) / 2 ** 20).toBeCloseTo(128, 1)
  })

  it('rejects an invalid cost', async () => {
    await expect(scryptHash('a', new Uint8Array(16), 32, { N: 3, r: 8, p: 1 })).rejects.toThrow(
      /scrypt/i,
    )
  })
})
