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

/** The headers that show a receiver of webhooks who has sent a body, and when. */
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

/** What a receiver got. */
export interface SignedEvent {
  /** The body as it came, before it is read as JSON. */
  readonly body: string | Uint8Array
  /** The header `x-gatehouse-signature`, if there is one. */
  readonly signature: string | null | undefined
}

/** Options of {@link verifyEventSignature}. */
export interface VerifyEventSignatureOptions {
  /** The secret that `createEventWebhook` or `createHookWebhook` was given. */
  secret: string
  /** How many seconds clocks may differ, and a body may be on its way (default 300). */
  toleranceSeconds?: number
  clock?: Clock
}

const signedEvent = objectOf<SignedEvent>({
  body: (value) =>
    typeof value === 'string' || value instanceof Uint8Array
      ? value
      : refuse('the body as it came: a text or a Uint8Array', value),
  signature: optional(nullable(rawText)),
})

const decodeOptions = exactly<VerifyEventSignatureOptions>({
  secret: filledText,
  toleranceSeconds: optional(numberFrom(0)),
  clock: optional(clockPort),
})

/** Whether a webhook comes from who knows the secret, and was sent just now: one that somebody has kept and sends again is refused. */
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
