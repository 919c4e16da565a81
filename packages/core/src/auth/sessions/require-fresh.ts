import { decodeInput, exactly, listOf, numberFrom, optional, rawText } from '../../input/decode.ts'
import type { AuthContext } from '../context.ts'
import { authError } from '../errors.ts'
import { amrTimes, type Session } from '../flow/session/session.ts'
import { sessionInput } from './session-input.ts'

/** Options of {@link requireFresh}. */
export interface RequireFreshOptions {
  /** How long ago the user may have authenticated at most, in milliseconds. */
  readonly maxAgeMs: number
  /**
   * The `amr` values that the user must have shown within that time, all of them, such as `mfa` or `x_secondary_totp` (default:
   * any authentication).
   */
  readonly amr?: readonly string[]
}

const decodeOptions = exactly<RequireFreshOptions>({
  maxAgeMs: (value) => (value === Number.POSITIVE_INFINITY ? value : numberFrom(0)(value)),
  amr: optional(listOf(rawText)),
})

/**
 * Guards operations for which a session alone is not enough: the user must have authenticated a short while ago. A user who is
 * refused goes through a `reauth` flow, or a login by `select_account` followed by an `authenticate` step, and keeps the session.
 *
 * @throws {GatehouseError} `InvalidInput`; `ReauthenticationRequired`, with the missing `amr` values in `info.missing`.
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
  // Nobody has authenticated in a session in which an operator acts as the user.
  const isOwn = session.impersonated_by === undefined
  const isFresh = (reference: string): boolean =>
    Object.hasOwn(times, reference) && (times[reference] ?? 0) >= since
  const missing = amr.filter((reference) => !isFresh(reference))
  if (isOwn && session.authenticated_at >= since && missing.length === 0) return
  throw authError('Forbidden', 'ReauthenticationRequired', 'authenticate again', {
    missing,
  })
}
