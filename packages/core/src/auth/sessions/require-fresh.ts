import type { AuthContext } from '../context.ts'
import { authError } from '../errors.ts'
import { amrTimes, type Session } from './session.ts'

/** Options of {@link requireFresh}. */
export interface RequireFreshOptions {
  /** How long ago it may be that the user has shown who they are, in milliseconds. */
  readonly maxAgeMs: number
  /** What they must have shown within that time, all of it, as `mfa` or `x_secondary_totp` (default anything). */
  readonly amr?: readonly string[]
}

/**
 * Guards what a session alone is not enough for: its user must have shown who they are a short while ago. Who is refused goes through a
 * flow `reauth`, or a login by `select_account` with a step `authenticate` behind it, and keeps the session.
 *
 * @throws {GatehouseError} `ReauthenticationRequired`, with what is missing of `amr` in `info.missing`.
 * @throws {RangeError} if `maxAgeMs` is no number from 0 on.
 * @see RFC 9470, OAuth 2.0 step up authentication
 */
export function requireFresh(
  { clock }: Pick<AuthContext, 'clock'>,
  session: Session,
  { maxAgeMs, amr = [] }: RequireFreshOptions,
): void {
  if (!(maxAgeMs >= 0))
    throw new RangeError(`maxAgeMs: expected a number from 0 on, got ${maxAgeMs}`)
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
