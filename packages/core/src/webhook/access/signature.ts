import { type HashName, hashText, hmacOf, timingSafeEqual } from '../../crypto/crypto.ts'
import { type PublicKey, type PublicKeyAlgorithm, verifiesWith } from '../../crypto/public-key.ts'
import type { Secret } from '../../crypto/secret.ts'
import type { Instant } from '../../time/clock.ts'
import type { Delivery } from '../request/delivery.ts'
import { readSource } from '../request/source.ts'
import type { SignatureFormat, SignatureOptions } from '../webhook.ts'
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
        | 'certificate_not_allowed'
    }

type Refusal = Extract<SignatureVerdict, { accepted: false }>['reason']
type Unit = NonNullable<SignatureFormat['timestamp']>['unit']

const refused = (reason: Refusal): SignatureVerdict => ({ accepted: false, reason })

/** The key of a secret. */
export function keyOf({ key = 'text' }: SignatureFormat, secret: Secret): Uint8Array {
  const text = secret.reveal()
  return key === 'base64' ? Buffer.from(text.replace(/^whsec_/, ''), 'base64') : Buffer.from(text)
}

/** Whether a time is recent. No instant within a tolerance can be read both in seconds and in ms. */
function isTimely(text: string, unit: Unit, now: Instant, tolerance: number): boolean {
  if (writtenTimes[unit] !== undefined) return Math.abs(now - Date.parse(text)) <= tolerance
  const inSeconds = Math.abs(Math.floor(now / 1_000) - Number(text)) * 1_000
  const inMs = Math.abs(now - Number(text))
  if (unit === 'either') return Math.min(inSeconds, inMs) <= tolerance
  return (unit === 's' ? inSeconds : inMs) <= tolerance
}

const wholeNumber = /^\d{1,15}$/
const anyNumber = /^\d{1,15}(?:\.\d{1,9})?$/
/** Times that are dates. @see RFC 3339; RFC 9110, section 5.6.7 */
const writtenTimes: Readonly<Partial<Record<Unit, RegExp>>> = {
  iso: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/,
  // Some senders leave out the comma, or write UTC.
  http: /^[A-Z][a-z]{2},? \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d (?:GMT|UTC)$/,
}

/** Why the time of a header cannot be accepted. */
function earlyRefusal(
  { format: { timestamp: time }, timestamp }: SignatureOffer,
  { tolerance }: SignatureOptions,
  now: Instant,
): Refusal | undefined {
  if (time === undefined || timestamp === undefined || !('header' in time)) return undefined
  const shape = writtenTimes[time.unit] ?? wholeNumber
  if (!shape.test(timestamp)) return 'signature_malformed'
  return isTimely(timestamp, time.unit, now, tolerance) ? undefined : 'timestamp_out_of_tolerance'
}

/** Why a time in a signed body cannot be accepted. */
function bodyRefusal(
  text: string | undefined,
  unit: Unit,
  { tolerance }: SignatureOptions,
  now: Instant,
): Refusal | undefined {
  const time = text?.trim() ?? ''
  const shape = writtenTimes[unit] ?? anyNumber
  if (!shape.test(time)) return 'timestamp_missing'
  return isTimely(time, unit, now, tolerance) ? undefined : 'timestamp_out_of_tolerance'
}

const hmacHashes: Readonly<Partial<Record<SignatureFormat['algorithm'], HashName>>> = {
  'hmac-sha1': 'sha1',
  'hmac-sha256': 'sha256',
  'hmac-sha512': 'sha512',
}

/** The hash of an HMAC; `undefined` for other algorithms. */
export const hmacHashOf = (algorithm: SignatureFormat['algorithm']): HashName | undefined =>
  hmacHashes[algorithm]

/** Tries all keys on all signatures, even after a match, for constant time. */
function matchesAny(
  options: SignatureOptions,
  { format, signed, signatures }: SignatureOffer,
  certified: readonly PublicKey[] | undefined,
): boolean {
  const { algorithm } = format
  let matches = false
  if (algorithm === 'token') return matchesToken(options, signatures)
  const hash = hmacHashOf(algorithm)
  if (hash !== undefined) {
    for (const secret of options.secrets) {
      const key = keyOf(format, secret)
      // Any sender can sign with an empty key.
      if (key.length === 0) continue
      const expected = hmacOf(hash, key, signed)
      for (const signature of signatures) {
        matches = timingSafeEqual(signature, expected) || matches
      }
    }
    return matches
  }
  // A secret is never a public key: they are in a list of their own, and of the kind of their algorithm.
  const ofPublicKey = algorithm as PublicKeyAlgorithm
  for (const key of certified ?? options.public_keys) {
    for (const signature of signatures) {
      matches = verifiesWith(key, ofPublicKey, signed, signature) || matches
    }
  }
  return matches
}

function matchesToken({ secrets }: SignatureOptions, received: readonly Uint8Array[]): boolean {
  const digests = received.map((one) => hashText('sha256', Buffer.from(one).toString()))
  let matches = false
  for (const secret of secrets) {
    const expected = hashText('sha256', secret.reveal())
    for (const digest of digests) matches = timingSafeEqual(expected, digest) || matches
  }
  return matches
}

/**
 * The URL of the certificate that is needed to verify a request; `undefined` if none is, or if the signature cannot be accepted
 * anyway.
 */
export function neededCertificate(
  options: SignatureOptions,
  request: Delivery,
  now: Instant,
): string | undefined {
  if (request.rawBody === undefined || request.isBodyRebuilt) return undefined
  const offer = readOffer(options, request, request.rawBody)
  if (typeof offer === 'string' || offer.certificateUrl === undefined) return undefined
  // A late answer would be the same.
  const refusal = earlyRefusal(offer, options, now) ?? lateRefusal(options, offer, request, now)
  return refusal === undefined ? offer.certificateUrl : undefined
}

/**
 * Verifies that a request is signed with one of the keys, over the original bytes of its body. Tries every key on every
 * signature, in constant time. A signature over a rebuilt body rarely fits, which proves nothing about the sender: the verdict is
 * then `body_was_parsed`.
 */
export function verifySignature(
  options: SignatureOptions,
  request: Delivery,
  now: Instant,
): SignatureVerdict {
  if (request.rawBody === undefined) return refused('signature_missing')
  const offer = readOffer(options, request, request.rawBody)
  if (typeof offer === 'string') return refused(offer)
  const early = earlyRefusal(offer, options, now)
  if (early !== undefined) return refused(early)
  if (!matchesAny(options, offer, certifiedKeys(offer, request))) {
    const isParsed = request.isBodyRebuilt && offer.format.algorithm !== 'token'
    // Nothing is fetched for a delivery that is too old.
    const isUnfetched = offer.certificateUrl !== undefined && request.certificate === undefined
    const late = isUnfetched ? lateRefusal(options, offer, request, now) : undefined
    return refused(late ?? (isParsed ? 'body_was_parsed' : 'signature_mismatch'))
  }
  const late = lateRefusal(options, offer, request, now)
  return late === undefined ? { accepted: true } : refused(late)
}

/** The key of the certificate that the delivery names; `undefined` for formats whose keys are configured. */
function certifiedKeys(
  { format, certificateUrl }: SignatureOffer,
  { certificate }: Delivery,
): readonly PublicKey[] | undefined {
  if (format.certificate === undefined) return undefined
  const isNamed = certificate !== undefined && certificate.url === certificateUrl
  return isNamed ? [certificate.key] : []
}

function lateRefusal(
  options: SignatureOptions,
  { format, timestamp }: SignatureOffer,
  request: Delivery,
  now: Instant,
): Refusal | undefined {
  const time = format.timestamp
  const own =
    time !== undefined && 'field' in time
      ? bodyRefusal(timestamp, time.unit, options, now)
      : undefined
  const from = options.timestamp_source
  if (own !== undefined || from === undefined) return own
  return bodyRefusal(readSource(from, request, now), 'either', options, now)
}
