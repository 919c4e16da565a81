import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  pbkdf2,
  scrypt,
  timingSafeEqual,
} from 'node:crypto'

const cipherName = 'aes-256-gcm'
const tagBytes = 16

/** Whether two values have the same bytes. Takes constant time for equal lengths; lengths are not secret. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The HMAC of bytes, or of a text's UTF-8 bytes. @see RFC 2104 */
export function hmac(
  algorithm: 'sha1' | 'sha256',
  key: Uint8Array,
  data: string | Uint8Array,
): Uint8Array {
  return createHmac(algorithm, key).update(data).digest()
}

/** The SHA-512 of a text's UTF-8 bytes: 64 bytes. @see FIPS 180-4 */
export function sha512(text: string): Uint8Array {
  return createHash('sha512').update(text, 'utf8').digest()
}

/** Derives a key of 32 bytes from a strong key; `info` names its purpose. @see RFC 5869 */
export function deriveKey(key: Uint8Array, info: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, 'gatehouse', info, 32))
}

/** Encrypts. Returns the ciphertext followed by its tag of 16 bytes. @see NIST SP 800-38D */
export function encryptAesGcm(
  key: Uint8Array,
  nonce: Uint8Array,
  plaintext: Uint8Array,
  associated: string,
): Uint8Array {
  const cipher = createCipheriv(cipherName, key, nonce, { authTagLength: tagBytes })
  cipher.setAAD(Buffer.from(associated))
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
}

/** Decrypts the output of {@link encryptAesGcm}; `undefined` if any input differs. */
export function decryptAesGcm(
  key: Uint8Array,
  nonce: Uint8Array,
  sealed: Uint8Array,
  associated: string,
): Uint8Array | undefined {
  if (sealed.length < tagBytes) return undefined
  const decipher = createDecipheriv(cipherName, key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(associated))
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  const plaintext = decipher.update(sealed.subarray(0, -tagBytes))
  try {
    return Buffer.concat([plaintext, decipher.final()])
  } catch {
    // Everything else was checked above, so final() throws only for a wrong tag.
    return undefined
  }
}

/** The hash functions that {@link pbkdf2Hash} iterates. */
export type Pbkdf2Digest = 'sha1' | 'sha256' | 'sha512'

/** Stretches a password, off the event loop. @see RFC 8018, section 5.2 */
export function pbkdf2Hash(
  password: string,
  length: number,
  how: { readonly digest: Pbkdf2Digest; readonly iterations: number; readonly salt: Uint8Array },
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    pbkdf2(password, how.salt, how.iterations, length, how.digest, (error, hash) => {
      if (error === null) resolve(hash)
      else reject(error)
    })
  })
}

/** The cost parameters of scrypt. @see RFC 7914, section 2 */
export interface ScryptCost {
  /** A power of two above 1. */
  readonly N: number
  readonly r: number
  readonly p: number
}

/** The memory that scrypt takes, in bytes. */
export function scryptMemory({ N, r, p }: ScryptCost): number {
  return 128 * r * (N + p + 2)
}

/** Stretches a password, off the event loop. @see RFC 7914 */
export function scryptHash(
  password: string,
  salt: Uint8Array,
  length: number,
  cost: ScryptCost,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const { N, r, p } = cost
    scrypt(password, salt, length, { N, r, p, maxmem: scryptMemory(cost) }, (error, hash) => {
      if (error === null) resolve(hash)
      else reject(error)
    })
  })
}
