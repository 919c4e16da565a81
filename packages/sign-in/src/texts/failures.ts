import { isClientError } from '@gatehouse/client'
import { hasText, timeInWords, type Words } from './texts.ts'

/** What can be said of a failure: one sentence, and where it belongs. */
export interface Problem {
  readonly text: string
  /** The JSON pointer of the value that is wrong, such as `/attributes/0/value`. */
  readonly at?: string
}

interface Cause {
  readonly location?: string
  readonly kind?: string
  readonly details?: { readonly format?: string }
}

/** The time left, if a failure says when it may be tried again. A length of time is right on devices whose clock is wrong. */
function waitOf({ info, retryAfterSeconds }: KnownFailure, now: number): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1_000
  const until = info.until === undefined ? Number.NaN : Date.parse(info.until)
  return Number.isNaN(until) ? 60_000 : until - now
}

interface KnownFailure {
  readonly reason: string
  readonly info: { readonly until?: string | undefined }
  readonly retryAfterSeconds: number | undefined
}

/** A sentence for people about a failure. What the service says to developers is never shown. */
export function problemOf(error: unknown, { t, language }: Words, now: number): Problem {
  if (error instanceof DOMException) {
    // Of the dialog for passkeys.
    const has = error.name === 'InvalidStateError'
    return { text: t(has ? 'create-passkey.exists' : 'passkey.failed') }
  }
  if (!isClientError(error)) return { text: t('error.fallback') }
  const { reason, info } = error
  const time = timeInWords(waitOf(error, now), language)
  if (reason === 'InvariantViolated') {
    const key = `error.cause.${info.cause?.kind ?? ''}`
    if (hasText(key)) return { text: t(key) }
  }
  if (reason === 'InvalidCredentials') {
    const kind = (info.AuthenticationType ?? '').replace(/^(?:primary|secondary)_/, '')
    if (kind.startsWith('oob_otp_')) return { text: t('error.InvalidOTPCode') }
    const key = `error.InvalidCredentials.${kind}`
    if (hasText(key)) return { text: t(key) }
  }
  if (reason === 'HookDisallowed') {
    // The app's own words for its own people.
    const own = info.reasons?.map(({ reason: why, title }) => why ?? title).find(Boolean)
    if (own !== undefined) return { text: own }
  }
  if (reason === 'ValidationFailed') {
    const [first] = (info.causes ?? []) as readonly Cause[]
    const key = `error.${first?.details?.format ?? ''}`
    const text = first?.kind === 'required' ? t('required') : hasText(key) ? t(key) : undefined
    const at = first?.location
    return {
      text: text ?? t(at?.startsWith('/attributes') ? 'error.format' : 'error.ValidationFailed'),
      ...(at === undefined ? {} : { at }),
    }
  }
  // A proxy in front of the service gives no reason of ours.
  const key = `error.${reason === 'TooManyRequests' ? 'TooManyRequest' : reason}`
  return { text: hasText(key) ? t(key, { time }) : t('error.fallback') }
}
