import type { Instant } from '../../../time/clock.ts'

/** An authenticator that was used or set up in a flow. */
export interface UsedAuthenticator {
  /** As `primary_password`. */
  readonly authentication: string
  /** What it adds to the AMR, as `pwd` and `x_primary_password`. */
  readonly amr: readonly string[]
  /** Recovery codes and device tokens are `pseudo`: they do not count as authenticators. */
  readonly kind: 'primary' | 'secondary' | 'pseudo'
  /** Tells two of one kind apart, where it is known. */
  readonly id?: string | null
}

/** When each reference of a session was shown last. */
export type AmrTimes = { readonly [reference: string]: Instant }

const recoveryCodeAmr = 'x_recovery_code'
const deviceTokenAmr = 'x_device_token'
const passkeyAmr = 'x_passkey'
const severalFactorsAmr = 'mfa'

/**
 * The authentication method references of a session, sorted: those of everything used, and `mfa` if that were two
 * authenticators, or one and a recovery code.
 *
 * @see RFC 8176; Authgear, `amr` of sessions
 */
export function sessionAmr(used: readonly UsedAuthenticator[]): readonly string[] {
  const references = new Set(used.flatMap(({ amr }) => amr))
  const authenticators = new Set(
    used
      .filter(({ kind }) => kind !== 'pseudo')
      .map(({ authentication, id }) => `${authentication} ${id ?? ''}`),
  )
  const second = references.has(recoveryCodeAmr) ? 1 : 0
  if (authenticators.size > 0 && authenticators.size + second > 1) references.add(severalFactorsAmr)
  return [...references].sort()
}

/** Whether somebody has shown anything themselves: a trusted device is only there. */
export function hasShown(used: readonly UsedAuthenticator[]): boolean {
  return used.some(({ kind, amr }) => kind !== 'pseudo' || amr.includes(recoveryCodeAmr))
}

/**
 * The references of a session in which more is shown now than before. Two factors count as `mfa` together if they were shown one
 * after the other too; since when, says the one that was shown longer ago.
 */
export function addAmr(
  before: AmrTimes,
  used: readonly UsedAuthenticator[],
  now: Instant,
): AmrTimes {
  const shown = sessionAmr(used)
  const times: Record<string, Instant> = { ...before }
  for (const reference of shown) times[reference] = now
  if (shown.includes(severalFactorsAmr) || !hasShown(used)) return times
  const noFactors = [...shown, severalFactorsAmr, deviceTokenAmr]
  const others = Object.entries(before).filter(([reference]) => !noFactors.includes(reference))
  if (others.length === 0) return times
  const since = Math.max(...others.map(([, at]) => at), before[severalFactorsAmr] ?? 0)
  return { ...times, [severalFactorsAmr]: since }
}

/**
 * How sure a session's user is: 2 after two factors, or after a passkey that has verified its user; else 1.
 *
 * @see NIST SP 800-63B, authenticator assurance levels
 */
export function assuranceLevel(amr: readonly string[], hasPasskeyVerifiedUser = false): 1 | 2 {
  const isVerifiedPasskey = amr.includes(passkeyAmr) && hasPasskeyVerifiedUser
  return amr.includes(severalFactorsAmr) || isVerifiedPasskey ? 2 : 1
}
