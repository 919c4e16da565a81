import { createDecipheriv } from 'node:crypto'

const nonceBytes = 24
const tagBytes = 16
const sigma = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574] as const

/**
 * Decrypts a nonce, ciphertext and tag of XChaCha20-Poly1305, which node:crypto lacks; `undefined` if the key is wrong.
 *
 * @see draft-irtf-cfrg-xchacha-03
 */
export function decryptXChaCha(key: Uint8Array, sealed: Uint8Array): Uint8Array | undefined {
  if (sealed.length < nonceBytes + tagBytes) return undefined
  const subkey = hChaCha20(key, sealed.subarray(0, 16))
  const nonce = Buffer.concat([new Uint8Array(4), sealed.subarray(16, nonceBytes)])
  const decipher = createDecipheriv('chacha20-poly1305', subkey, nonce, { authTagLength: tagBytes })
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  const plaintext = decipher.update(sealed.subarray(nonceBytes, -tagBytes))
  try {
    return Buffer.concat([plaintext, decipher.final()])
  } catch {
    // final() throws only for a wrong tag.
    return undefined
  }
}

/** The key of the inner cipher. @see draft-irtf-cfrg-xchacha-03, section 2.2 */
function hChaCha20(key: Uint8Array, nonce: Uint8Array): Uint8Array {
  const words = Buffer.concat([key, nonce])
  const state = new Uint32Array(16)
  state.set(sigma)
  for (let index = 0; index < 12; index++) state[index + 4] = words.readUInt32LE(index * 4)
  for (let round = 0; round < 10; round++) {
    quarter(state, 0, 4, 8, 12)
    quarter(state, 1, 5, 9, 13)
    quarter(state, 2, 6, 10, 14)
    quarter(state, 3, 7, 11, 15)
    quarter(state, 0, 5, 10, 15)
    quarter(state, 1, 6, 11, 12)
    quarter(state, 2, 7, 8, 13)
    quarter(state, 3, 4, 9, 14)
  }
  const subkey = Buffer.alloc(32)
  for (const [index, from] of [0, 1, 2, 3, 12, 13, 14, 15].entries()) {
    subkey.writeUInt32LE(state[from] ?? 0, index * 4)
  }
  return subkey
}

/** @see RFC 8439, section 2.1 */
function quarter(state: Uint32Array, a: number, b: number, c: number, d: number): void {
  const step = (x: number, y: number, z: number, bits: number): void => {
    state[x] = (state[x] ?? 0) + (state[y] ?? 0)
    const mixed = (state[z] ?? 0) ^ (state[x] ?? 0)
    state[z] = (mixed << bits) | (mixed >>> (32 - bits))
  }
  step(a, b, d, 16)
  step(c, d, b, 12)
  step(a, b, d, 8)
  step(c, d, b, 7)
}
