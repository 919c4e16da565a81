import type { Instant } from '../../../time/clock.ts'

/** An authenticator that was used or set up in a flow. */
export interface UsedAuthenticator {
  /** As `primary_password`. */
  readonly authentication: string
  /** Its values in the AMR, as `pwd` and `x_primary_password`. */
  readonly amr: readonly string[]
  /** Recovery codes and device tokens are `pseudo`: they do not count as authenticators. */
  readonly kind: 'primary' | 'secondary' | 'pseudo'
  /** Distinguishes authenticators of one kind, if known. */
  readonly id?: string | null
}

/** The last time each reference of a session was shown. */
export type AmrTimes = { readonly [reference: string]: Instant }

const recoveryCodeAmr = 'x_recovery_code'
const deviceTokenAmr = 'x_device_token'
const passkeyAmr = 'x_passkey'
const severalFactorsAmr = 'mfa'

/**
 * The authentication method references of a session, sorted: those of all used authenticators, and `mfa` after two
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

/** Whether the user has shown any factor; a trusted device is not one. */
export function hasShown(used: readonly UsedAuthenticator[]): boolean {
  return used.some(({ kind, amr }) => kind !== 'pseudo' || amr.includes(recoveryCodeAmr))
}

/**
 * The references of a session after a further authentication. Two factors shown one after the other also count as `mfa`, as of
 * the older one.
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
 * The assurance level of a session: 2 after two factors, or after a passkey with user verification; else 1.
 *
 * @see NIST SP 800-63B, authenticator assurance levels
 */
export function assuranceLevel(amr: readonly string[], hasPasskeyVerifiedUser = false): 1 | 2 {
  const isVerifiedPasskey = amr.includes(passkeyAmr) && hasPasskeyVerifiedUser
  return amr.includes(severalFactorsAmr) || isVerifiedPasskey ? 2 : 1
}
