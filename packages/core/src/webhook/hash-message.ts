import { hashText } from '../crypto/crypto.ts'
import { decodeInput, objectOf, rawText } from '../input/decode.ts'
import type * as wire from './wire/types.generated.ts'

/** The result of {@link hashMessage}: the same hex digits twice; `message` is for older clients. */
export type HashedMessage = wire.HashedMessage

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
