import { type HashName, hashText, timingSafeEqual } from '../../crypto/crypto.ts'
import type { TokenCheck, TokenFormat } from '../webhook.ts'

/** A digest that the hash of a received text must equal. */
interface Candidate {
  readonly algorithm: HashName
  readonly digest: Uint8Array
  /** Whether the text is hex digits, which may be upper case. */
  readonly isHex: boolean
}

const storedDigest = /^(?:(sha256):([\da-f]{64})|(sha1):([\da-f]{40}))$/i

/** A text that is accepted. Only its digest is kept, so that all comparisons have the same length. */
function candidateOf(accepted: string, isHex: boolean): Candidate {
  return { algorithm: 'sha256', digest: hashText('sha256', accepted), isHex }
}

const hexOf = (algorithm: HashName, token: string): Candidate =>
  candidateOf(hashText(algorithm, token).toString('hex'), true)

function candidatesOf(configured: string, format: TokenFormat): readonly Candidate[] {
  const [, sha256, sha256Hex, , sha1Hex] = storedDigest.exec(configured) ?? []
  const storedHex = sha256Hex ?? sha1Hex
  if (storedHex !== undefined) {
    const algorithm = sha256 === undefined ? 'sha1' : 'sha256'
    return [{ algorithm, digest: Buffer.from(storedHex, 'hex'), isHex: false }]
  }
  if (format === 'plain') return [candidateOf(configured, false)]
  if (format === 'any') return [candidateOf(configured, false), hexOf('sha1', configured)]
  return [hexOf(format, configured)]
}

/** Compares with every candidate, even after a match, for constant time. */
function matchesAny(received: string, candidates: readonly Candidate[]): boolean {
  let matches = false
  let hashed:
    | { readonly algorithm: HashName; readonly text: string; readonly hash: Uint8Array }
    | undefined
  for (const { algorithm, digest, isHex } of candidates) {
    const text = isHex ? received.toLowerCase() : received
    // Most candidates hash the same form of the text. Only its sender can see that in the timing, and knows the form.
    if (hashed?.algorithm !== algorithm || hashed.text !== text) {
      hashed = { algorithm, text, hash: hashText(algorithm, text) }
    }
    matches = timingSafeEqual(hashed.hash, digest) || matches
  }
  return matches
}

/**
 * Creates the check for the tokens of a webhook. A configured `sha256:HEX` or `sha1:HEX` is the digest of a token, and accepts
 * only that token. Any other token is accepted in the forms of `format`: `plain` is the token, `sha1` and `sha256` are the hex
 * digits of its digest, `any` is the token or its SHA-1.
 */
export function createTokenCheck(configured: readonly string[], format: TokenFormat): TokenCheck {
  if (configured.length === 0) return dummyTokenCheck
  const candidates = configured.flatMap((token) => candidatesOf(token, format))
  return { accepts: (received) => matchesAny(received, candidates) }
}

const dummies = candidatesOf('', 'any')

/** The check for an unknown webhook, or one without a token: takes the same time, and accepts nothing. */
export const dummyTokenCheck: TokenCheck = {
  accepts(received) {
    matchesAny(received, dummies)
    return false
  },
}
