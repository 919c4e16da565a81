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

const recoveryCodeAmr = 'x_recovery_code'
const passkeyAmr = 'x_passkey'

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
  if (authenticators.size > 0 && authenticators.size + second > 1) references.add('mfa')
  return [...references].sort()
}

/**
 * How sure a session's user is: 2 after two factors, or after a passkey that has verified its user; else 1.
 *
 * @see NIST SP 800-63B, authenticator assurance levels
 */
export function assuranceLevel(amr: readonly string[], hasPasskeyVerifiedUser = false): 1 | 2 {
  const isVerifiedPasskey = amr.includes(passkeyAmr) && hasPasskeyVerifiedUser
  return amr.includes('mfa') || isVerifiedPasskey ? 2 : 1
}
