import { hmacOf, timingSafeEqual } from '../../crypto/crypto.ts'
import {
  decodeInput,
  exactly,
  filledText,
  nullable,
  numberFrom,
  objectOf,
  optional,
  rawText,
} from '../../input/decode.ts'
import { clockPort } from '../../input/ports.ts'
import { refuse } from '../../input/refusal.ts'
import { type Clock, type Instant, systemClock } from '../../time/clock.ts'

/** The headers that prove to a receiver of webhooks who sent a body, and when. */
export function signatureHeaders(
  body: string,
  secret: string,
  now: Instant,
): Readonly<Record<string, string>> {
  const seconds = `${Math.floor(now / 1_000)}`
  const plain = hmacOf('sha256', secret, [body]).toString('hex')
  const timed = hmacOf('sha256', secret, [`${seconds}.`, body]).toString('hex')
  return {
    'x-authgear-body-signature': plain,
    'x-gatehouse-signature': `t=${seconds},v1=${timed}`,
  }
}

/** A received webhook. */
export interface SignedEvent {
  /** The raw body, before it is parsed as JSON. */
  readonly body: string | Uint8Array
  /** The header `x-gatehouse-signature`, if present. */
  readonly signature: string | null | undefined
}

/** Options of {@link verifyEventSignature}. */
export interface VerifyEventSignatureOptions {
  /** The secret given to `createEventWebhook` or `createHookWebhook`. */
  secret: string
  /** By how many seconds the clocks may differ, including the time in transit (default 300). */
  toleranceSeconds?: number
  clock?: Clock
}

const signedEvent = objectOf<SignedEvent>({
  body: (value) =>
    typeof value === 'string' || value instanceof Uint8Array
      ? value
      : refuse('the raw body: a string or a Uint8Array', value),
  signature: optional(nullable(rawText)),
})

const decodeOptions = exactly<VerifyEventSignatureOptions>({
  secret: filledText,
  toleranceSeconds: optional(numberFrom(0)),
  clock: optional(clockPort),
})

/**
 * Whether the sender of a webhook knows the secret and signed it recently. A recorded webhook that is sent again later is
 * refused.
 */
export function verifyEventSignature(
  event: SignedEvent,
  options: VerifyEventSignatureOptions,
): boolean {
  const { body, signature } = decodeInput('event', signedEvent, event)
  const decoded = decodeInput('options', decodeOptions, options)
  const { secret, toleranceSeconds = 300, clock = systemClock } = decoded
  const [, seconds, given] = /^t=(\d{1,12}),v1=([\da-f]{64})$/.exec(signature ?? '') ?? []
  if (seconds === undefined || given === undefined) return false
  if (Math.abs(clock.now() / 1_000 - Number(seconds)) > toleranceSeconds) return false
  const made = hmacOf('sha256', secret, [`${seconds}.`, body])
  return timingSafeEqual(made, Buffer.from(given, 'hex'))
}
