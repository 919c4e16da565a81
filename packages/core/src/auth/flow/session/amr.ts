import type { Instant } from '../../../time/clock.ts'
import { mailboxOf } from '../../login-ids/mailbox.ts'

/** An authenticator that was used or set up in a flow. */
export interface UsedAuthenticator {
  /** As `primary_password`. */
  readonly authentication: string
  /** Its values in the AMR, as `pwd` and `x_primary_password`. */
  readonly amr: readonly string[]
  /** Recovery codes and device tokens are `pseudo`: they do not count as authenticators. */
  readonly kind: 'primary' | 'secondary' | 'pseudo'
  /** Its record, if there is one. */
  readonly id?: string | null
  /** The address that its codes go to. */
  readonly target?: string
  /** An authenticator that has the same secret. */
  readonly same_as?: string
  /** It was set up, but the user has not shown it: it does not count. */
  readonly is_unshown?: true
}

/** The last time each reference of a session was shown. */
export type AmrTimes = { readonly [reference: string]: Instant }

/** The last time each factor of a session was shown. @see `factorOf` */
export type FactorTimes = { readonly [factor: string]: Instant }

const recoveryCodeAmr = 'x_recovery_code'
const deviceTokenAmr = 'x_device_token'
const passkeyAmr = 'x_passkey'
const severalFactorsAmr = 'mfa'

/** Whether a reference is one of codes and links to an address. */
const isOfAddress = (reference: string): boolean =>
  /^(?:otp|sms|x_(?:primary|secondary)_oob_otp_(?:email|sms))$/.test(reference)

/**
 * The secret that an authenticator proves. Authenticators with one secret are one factor: codes to one mailbox or phone, by
 * whatever channel; one key under two names; passwords with the same text.
 */
export function factorOf({ authentication, id, target, same_as }: UsedAuthenticator): string {
  if (target !== undefined) return mailboxOf(target)
  return same_as ?? id ?? authentication
}

/** Whether it is a factor: a trusted device is none, and recovery codes count as one. */
const isFactor = ({ kind, amr, is_unshown }: UsedAuthenticator): boolean =>
  is_unshown !== true && (kind !== 'pseudo' || amr.includes(recoveryCodeAmr))

/** The factors that authenticators show. */
function factorsOf(used: readonly UsedAuthenticator[]): readonly string[] {
  const factors = used
    .filter(isFactor)
    .map((one) => (one.kind === 'pseudo' ? recoveryCodeAmr : factorOf(one)))
  return [...new Set(factors)]
}

/**
 * The authentication method references of a session, sorted: those of all used authenticators, and `mfa` after two factors.
 *
 * @see RFC 8176; Authgear, `amr` of sessions
 */
export function sessionAmr(used: readonly UsedAuthenticator[]): readonly string[] {
  const references = new Set(used.flatMap(({ amr }) => amr))
  if (factorsOf(used).length > 1) references.add(severalFactorsAmr)
  return [...references].sort()
}

/** Whether the user has shown any factor; a trusted device is not one. */
export function hasShown(used: readonly UsedAuthenticator[]): boolean {
  return used.some(isFactor)
}

/** The factors of a session after a further authentication. */
export function addFactors(
  before: FactorTimes,
  used: readonly UsedAuthenticator[],
  now: Instant,
): FactorTimes {
  return { ...before, ...Object.fromEntries(factorsOf(used).map((factor) => [factor, now])) }
}

/**
 * The references of a session after a further authentication. Two factors shown one after the other also count as `mfa`, as of
 * the older one.
 *
 * @param factors shown before; `undefined` for a session that does not know them, whose references stand for them.
 */
export function addAmr(
  before: AmrTimes,
  used: readonly UsedAuthenticator[],
  now: Instant,
  factors?: FactorTimes,
): AmrTimes {
  const shown = sessionAmr(used)
  const times: Record<string, Instant> = { ...before }
  for (const reference of shown) times[reference] = now
  if (shown.includes(severalFactorsAmr) || !hasShown(used)) return times
  const others = factors === undefined ? otherReferences(before, used) : { ...factors }
  for (const factor of factorsOf(used)) delete others[factor]
  const ofOthers = Object.values(others)
  if (ofOthers.length === 0) return times
  return {
    ...times,
    [severalFactorsAmr]: Math.max(...ofOthers, before[severalFactorsAmr] ?? 0),
  }
}

/** The earlier references that stand for another factor. Codes may have gone to the same address under another name. */
function otherReferences(
  before: AmrTimes,
  used: readonly UsedAuthenticator[],
): Record<string, Instant> {
  const noFactors = [...sessionAmr(used), severalFactorsAmr, deviceTokenAmr]
  const isByAddress = used.some(({ target }) => target !== undefined)
  return Object.fromEntries(
    Object.entries(before).filter(
      ([reference]) => !noFactors.includes(reference) && !(isByAddress && isOfAddress(reference)),
    ),
  )
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
