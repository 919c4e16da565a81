import { hashText, hmacOf, timingSafeEqual } from '../../crypto/crypto.ts'
import type { Instant } from '../../time/clock.ts'
import type { Delivery } from '../request/delivery.ts'
import { readSource } from '../request/source.ts'
import type { SignatureOptions } from '../webhook.ts'
import { readOffer, type SignatureOffer } from './signature-offer.ts'

/** The result of verifying a signature. The reasons are only for the log. */
export type SignatureVerdict =
  | { readonly accepted: true }
  | {
      readonly accepted: false
      readonly reason:
        | 'signature_missing'
        | 'signature_malformed'
        | 'timestamp_missing'
        | 'timestamp_out_of_tolerance'
        | 'signature_mismatch'
        | 'body_was_parsed'
    }

type Refusal = Extract<SignatureVerdict, { accepted: false }>['reason']

const refused = (reason: Refusal): SignatureVerdict => ({ accepted: false, reason })
const matched = (matches: boolean): SignatureVerdict =>
  matches ? { accepted: true } : refused('signature_mismatch')

/** The key of a secret: base64 for Standard Webhooks, text for the others. */
function keyOf({ scheme }: SignatureOptions, secret: string): Uint8Array {
  return scheme === 'standard'
    ? Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    : Buffer.from(secret)
}

function isTimely(timestamp: string, now: Instant, tolerance: number): boolean {
  return Math.abs(Math.floor(now / 1000) - Number(timestamp)) * 1000 <= tolerance
}

/**
 * Whether the time in a signed body is recent; a refusal otherwise. No instant within a tolerance can be read both in seconds and
 * in ms.
 */
function timeRefusal(
  { timestamp_source: from, tolerance }: SignatureOptions,
  delivery: Delivery,
  now: Instant,
): SignatureVerdict | undefined {
  if (from === undefined) return undefined
  const text = readSource(from, delivery, now)?.trim() ?? ''
  if (!/^\d{1,15}(?:\.\d{1,9})?$/.test(text)) return refused('timestamp_missing')
  const inSeconds = Math.abs(Math.floor(now / 1_000) - Number(text)) * 1_000
  const inMs = Math.abs(now - Number(text))
  return Math.min(inSeconds, inMs) <= tolerance ? undefined : refused('timestamp_out_of_tolerance')
}

/** Tries all secrets on all signatures, even after a match, for constant time. */
function matchesAny(options: SignatureOptions, { signed, signatures }: SignatureOffer): boolean {
  const algorithm = options.scheme === 'hmac' ? options.algorithm : 'sha256'
  let matches = false
  for (const secret of options.secrets) {
    const key = keyOf(options, secret.reveal())
    // Any sender can sign with an empty key.
    if (key.length === 0) continue
    const expected = hmacOf(algorithm, key, signed)
    for (const signature of signatures) {
      matches = timingSafeEqual(signature, expected) || matches
    }
  }
  return matches
}

function matchesToken({ secrets }: SignatureOptions, received: string): boolean {
  const digest = hashText('sha256', received)
  let matches = false
  for (const secret of secrets) {
    matches = timingSafeEqual(hashText('sha256', secret.reveal()), digest) || matches
  }
  return matches
}

/**
 * Verifies that a request is signed with one of the secrets, over the original bytes of its body. Tries every secret on every
 * signature, in constant time. A signature over a rebuilt body rarely fits, which proves nothing about the sender: the verdict is
 * then `body_was_parsed`.
 *
 * @see https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
 * @see https://docs.stripe.com/webhooks#verify-manually
 * @see https://api.slack.com/authentication/verifying-requests-from-slack
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 * @see https://shopify.dev/docs/apps/build/webhooks/subscribe/https
 */
export function verifySignature(
  options: SignatureOptions,
  request: Delivery,
  now: Instant,
): SignatureVerdict {
  const { scheme, tolerance } = options
  if (request.rawBody === undefined) return refused('signature_missing')
  if (scheme === 'gitlab-token') {
    const received = request.header('x-gitlab-token')
    return received === undefined
      ? refused('signature_missing')
      : matched(matchesToken(options, received))
  }
  const offer = readOffer(scheme, options, (name) => request.header(name), request.rawBody)
  if (typeof offer === 'string') return refused(offer)
  if (offer.timestamp !== undefined && !isTimely(offer.timestamp, now, tolerance)) {
    return refused('timestamp_out_of_tolerance')
  }
  if (matchesAny(options, offer)) return timeRefusal(options, request, now) ?? { accepted: true }
  return refused(request.isBodyRebuilt ? 'body_was_parsed' : 'signature_mismatch')
}
