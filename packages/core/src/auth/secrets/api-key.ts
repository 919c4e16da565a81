import { crc32 } from 'node:zlib'
import { type Random, randomText } from './random.ts'

/**
 * An API key is `gatehouse_`, an id of 16 characters, a secret of 32 and a checksum of 6: CRC-32 of what is before it, in digits
 * and letters. Scanners for leaked secrets find the prefix, and sort out other texts by the checksum, without asking the service.
 */
export interface NewApiKey {
  readonly id: string
  readonly key: string
}

const prefix = 'gatehouse_'
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const idLength = 16
const secretLength = 32
const pattern = /^gatehouse_([0-9A-Za-z]{16})[0-9A-Za-z]{38}$/

/** Creates a key with 190 random bits in its secret, so a fast digest of it is enough. */
export function createApiKeyText(random: Random): NewApiKey {
  const id = randomText(random, digits, idLength)
  const body = `${prefix}${id}${randomText(random, digits, secretLength)}`
  return { id, key: `${body}${checksum(body)}` }
}

/** Whether a bearer token says that it is an API key. It may be a wrong one. */
export const looksLikeApiKey = (text: string): boolean => text.startsWith(prefix)

/** The id in a key; `undefined` if the text is not a key, or was mistyped. */
export function apiKeyIdOf(text: string): string | undefined {
  // The pattern bounds the text before the checksum is made.
  const id = pattern.exec(text)?.[1]
  if (id === undefined) return undefined
  const body = text.slice(0, -6)
  return text === `${body}${checksum(body)}` ? id : undefined
}

function checksum(text: string): string {
  let rest = crc32(text)
  let written = ''
  for (let place = 0; place < 6; place++) {
    written = digits.charAt(rest % digits.length) + written
    rest = Math.floor(rest / digits.length)
  }
  return written
}
