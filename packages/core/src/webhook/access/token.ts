import { type HashName, hashText, timingSafeEqual } from '../../crypto/crypto.ts'
import type { TokenCheck, TokenFormat } from '../webhook.ts'

/** What a received text, hashed, has to be equal to. */
interface Candidate {
  readonly algorithm: HashName
  readonly digest: Uint8Array
  /** Whether the text is hex digits, which may come in capitals. */
  readonly isHex: boolean
}

const storedDigest = /^(?:(sha256):([\da-f]{64})|(sha1):([\da-f]{40}))$/i

/** A text that is accepted as it is. Kept as its digest, so that all comparisons are of one length. */
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

/** Compares with every candidate, also after one has matched. */
function matchesAny(received: string, candidates: readonly Candidate[]): boolean {
  let matches = false
  let hashed:
    | { readonly algorithm: HashName; readonly text: string; readonly hash: Uint8Array }
    | undefined
  for (const { algorithm, digest, isHex } of candidates) {
    const text = isHex ? received.toLowerCase() : received
    // Most candidates are looked for in one form of the text: which, its sender knows.
    if (hashed?.algorithm !== algorithm || hashed.text !== text) {
      hashed = { algorithm, text, hash: hashText(algorithm, text) }
    }
    matches = timingSafeEqual(hashed.hash, digest) || matches
  }
  return matches
}

/**
 * A check of the tokens a webhook has. One of the form `sha256:HEX` or `sha1:HEX` is the digest of a token, and that token alone
 * is accepted. Each other one is accepted in the forms that `format` names: `plain` is the token, `sha1` and `sha256` are the hex
 * digits of its digest, `any` is the token or its SHA-1.
 */
export function createTokenCheck(configured: readonly string[], format: TokenFormat): TokenCheck {
  const candidates = configured.flatMap((token) => candidatesOf(token, format))
  return { accepts: (received) => matchesAny(received, candidates) }
}

const dummies = candidatesOf('', 'any')

/** Stands for the check of a webhook that does not exist: takes the time of one, and accepts nothing. */
export const dummyTokenCheck: TokenCheck = {
  accepts(received) {
    matchesAny(received, dummies)
    return false
  },
}
