import { hashText } from '../crypto/crypto.ts'
import { decodeInput, objectOf, rawText } from '../input/decode.ts'

/** The result of {@link hashMessage}: the same hex digits twice; `message` is for older clients. */
export interface HashedMessage {
  readonly message: string
  readonly hash: string
  readonly algorithm: 'sha1'
}

const decodeMessage = objectOf<{ readonly message: string }>({ message: rawText })

/**
 * Returns the SHA-1 of a message's UTF-8 bytes as 40 lower-case hex digits. Half a surrogate pair counts as U+FFFD.
 *
 * @example
 * hashMessage({ message: 'hello' }).hash // 'aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d'
 * @see FIPS 180-4
 */
export function hashMessage(input: { readonly message: string }): HashedMessage {
  const hash = hashText('sha1', decodeInput('input', decodeMessage, input).message).toString('hex')
  return { message: hash, hash, algorithm: 'sha1' }
}
