import { decodeInput, exactly, listOf, numberFrom, optional, rawText } from '../../input/decode.ts'
import type { AuthContext } from '../context.ts'
import { authError } from '../errors.ts'
import { amrTimes, type Session } from '../flow/session/session.ts'
import { sessionInput } from '../operation-input.ts'

/** Options of {@link requireFresh}. */
export interface RequireFreshOptions {
  /** How long ago it may be that the user has shown who they are, in milliseconds. */
  readonly maxAgeMs: number
  /** What they must have shown within that time, all of it, as `mfa` or `x_secondary_totp` (default anything). */
  readonly amr?: readonly string[]
}

const decodeOptions = exactly<RequireFreshOptions>({
  maxAgeMs: (value) => (value === Number.POSITIVE_INFINITY ? value : numberFrom(0)(value)),
  amr: optional(listOf(rawText)),
})

/**
 * Guards what a session alone is not enough for: its user must have shown who they are a short while ago. Who is refused goes through a
 * flow `reauth`, or a login by `select_account` with a step `authenticate` behind it, and keeps the session.
 *
 * @throws {GatehouseError} `InvalidInput`; `ReauthenticationRequired`, with what is missing of `amr` in `info.missing`.
 * @see RFC 9470, OAuth 2.0 step up authentication
 */
export function requireFresh(
  { clock }: Pick<AuthContext, 'clock'>,
  of: Session,
  options: RequireFreshOptions,
): void {
  const session = decodeInput('session', sessionInput, of)
  const { maxAgeMs, amr = [] } = decodeInput('options', decodeOptions, options)
  const since = clock.now() - maxAgeMs
  const times = amrTimes(session)
  const isFresh = (reference: string): boolean =>
    Object.hasOwn(times, reference) && (times[reference] ?? 0) >= since
  const missing = amr.filter((reference) => !isFresh(reference))
  if (session.authenticated_at >= since && missing.length === 0) return
  throw authError('Forbidden', 'ReauthenticationRequired', 'show once more who you are', {
    missing,
  })
}
