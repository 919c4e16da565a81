import {
  decodeInput,
  exactly,
  filledText,
  functionLike,
  numberFrom,
  optional,
} from '../../input/decode.ts'
import { clockPort } from '../../input/ports.ts'
import type { Json } from '../../storage/storage.ts'
import { type Clock, systemClock } from '../../time/clock.ts'
import { type PostFetch, platformFetch, sendPost } from '../events/outgoing-post.ts'
import { readWireAnswer } from '../events/wire-event.ts'
import type { BotVerifier } from './bot-verifier.ts'

/** Options of {@link createTurnstileVerifier} and {@link createRecaptchaVerifier}. */
export interface SiteverifyOptions {
  /** The secret that belongs to the site key. */
  secretKey: string
  /** The timeout for the provider, in milliseconds (default 5,000). */
  timeoutMs?: number
  /** Default: the `fetch` of the platform. */
  fetch?: PostFetch
  clock?: Clock
}

const decodeOptions = exactly<SiteverifyOptions>({
  secretKey: filledText,
  timeoutMs: optional(numberFrom(1)),
  fetch: optional(functionLike('a function like fetch')),
  clock: optional(clockPort),
})

/** The error codes about the provider or the secret; all others are about the response. */
const ofService: ReadonlySet<string> = new Set([
  'missing-input-secret',
  'invalid-input-secret',
  'invalid-parsed-secret',
  'invalid-widget-id',
  'invalid-keys',
  'bad-request',
  'internal-error',
])

/** Longer than any response: Turnstile's have at most 2,048 characters. */
const maxResponseLength = 8_192
const answerBytes = 64 * 1_024

/** Stands for an unknown address, which is not sent. */
const noAddress = '0.0.0.0'

/**
 * Verifies responses of Turnstile, for `bot_protection.provider.type: cloudflare`.
 *
 * @throws {GatehouseError} `InvalidInput` if an option is invalid.
 * @see https://developers.cloudflare.com/turnstile/get-started/server-side-validation/
 */
export function createTurnstileVerifier(options: SiteverifyOptions): BotVerifier {
  const url = 'https://challenges.cloudflare.com/turnstile/v0/siteverify'
  return createVerifier('cloudflare', url, options)
}

/**
 * Verifies responses of reCAPTCHA v2, for `bot_protection.provider.type: recaptchav2`.
 *
 * @throws {GatehouseError} `InvalidInput` if an option is invalid.
 * @see https://developers.google.com/recaptcha/docs/verify
 */
export function createRecaptchaVerifier(options: SiteverifyOptions): BotVerifier {
  return createVerifier('recaptchav2', 'https://www.google.com/recaptcha/api/siteverify', options)
}

function createVerifier(type: string, url: string, options: SiteverifyOptions): BotVerifier {
  const decoded = decodeInput('options', decodeOptions, options)
  const { secretKey, timeoutMs = 5_000, fetch = platformFetch, clock = systemClock } = decoded
  return {
    type,
    async verify({ response, ip }) {
      if (response === '' || response.length > maxResponseLength) return 'failed'
      const form = new URLSearchParams({ secret: secretKey, response })
      if (ip !== noAddress) form.set('remoteip', ip)
      const text = await sendPost(fetch, clock, {
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: form.toString(),
        timeoutMs,
        maxBytes: answerBytes,
      })
      return outcomeOf(readWireAnswer(text))
    },
  }
}

function outcomeOf(answer: Json | undefined): 'passed' | 'failed' {
  const { success, 'error-codes': codes } = Object(answer)
  if (success === true) return 'passed'
  const list: readonly unknown[] = Array.isArray(codes) ? codes : []
  const problems = list.filter((code): code is string => ofService.has(String(code)))
  if (success === false && problems.length === 0) return 'failed'
  throw new Error(`the provider does not verify: ${problems.join(', ') || 'no reason given'}`)
}
