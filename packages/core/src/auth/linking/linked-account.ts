import type { Account } from '../accounts/account.ts'
import type { AuthenticatorRecord } from '../accounts/authenticator-record.ts'
import { namesOf } from '../accounts/identities.ts'
import type { IdentityRecord } from '../accounts/identity-record.ts'
import type { EnteredStep } from '../config/flow-definition.ts'
import type { Fact } from '../flow/state.ts'

/** The name in flows: `email`, `oauth`, … */
export function identificationOf(identity: IdentityRecord): string {
  const { IdentityType, LoginIDType } = namesOf(identity)
  return LoginIDType ?? IdentityType
}

/** Whether an account has an identity of one of these kinds. */
export function hasIdentity({ identities }: Account, sorts: readonly string[]): boolean {
  return identities.some((identity) => sorts.includes(identificationOf(identity)))
}

/** A kind of authenticator, and the addresses it may have (default: any). */
interface Factor {
  readonly authentication: string
  readonly targets?: readonly string[]
}

/** Whether an account has such an authenticator already; if the factor has addresses, one with such an address. */
export function hasFactor(
  { authenticators }: Account,
  { authentication, targets }: Factor,
): boolean {
  return authenticators.some(
    (one) =>
      authenticationOf(one) === authentication &&
      (targets === undefined || !('target' in one) || targets.includes(one.target)),
  )
}

/** Whether an account already has an authenticator that excludes this one: a password of the same kind, or the same address. */
export function hasEqual({ authenticators }: Account, created: AuthenticatorRecord): boolean {
  return authenticators.some((one) => {
    if (one.type !== created.type || one.kind !== created.kind) return false
    if ('target' in one && 'target' in created) return one.target === created.target
    return one.type === 'password'
  })
}

function authenticationOf(authenticator: AuthenticatorRecord): string {
  const { kind, type } = authenticator
  return type === 'custom' ? authenticator.authentication : `${kind}_${type}`
}

/** The progress of a sign-up when it found that its user exists. */
interface Established {
  readonly facts: readonly Fact[]
  readonly entered: readonly EnteredStep[]
}

/**
 * Moves the progress of a sign-up to the existing user: its identities and authenticators become that user's. Drops those of
 * which the account has one of the same kind already, and whatever belongs to them; no step can refer to them any more.
 */
export function establishedFor(account: Account, { facts, entered }: Established): Established {
  const isSpare = (identity: IdentityRecord): boolean =>
    hasIdentity(account, [identificationOf(identity)])
  const spare = facts.flatMap((fact) =>
    fact.kind === 'identity_created' && isSpare(fact.identity) ? [fact.identity] : [],
  )
  const addresses = new Set(spare.flatMap(({ email, phone_number }) => [email, phone_number]))
  const ids = new Set<string | undefined>(spare.map(({ id }) => id))
  return {
    facts: facts.flatMap((fact) => factFor(account, fact, addresses) ?? []),
    entered: entered.filter(({ identity_id: id }) => id === undefined || !ids.has(id)),
  }
}

/** `undefined` if the user does not need the fact. */
function factFor(
  account: Account,
  fact: Fact,
  spareAddresses: ReadonlySet<string | undefined>,
): Fact | undefined {
  const { id: userId } = account.user
  switch (fact.kind) {
    case 'user_created':
    case 'user_identified':
      return undefined
    case 'identity_created':
      if (hasIdentity(account, [identificationOf(fact.identity)])) return undefined
      return { ...fact, identity: { ...fact.identity, user_id: userId } }
    case 'claim_verified':
      return spareAddresses.has(fact.value) ? undefined : fact
    case 'authenticator_created': {
      const { authenticator } = fact
      // The browser stores the passkey for the user id that was never created.
      if (authenticator.type === 'passkey') return undefined
      const targets = 'target' in authenticator ? [authenticator.target] : undefined
      const authentication = authenticationOf(authenticator)
      const factor = targets === undefined ? { authentication } : { authentication, targets }
      const isSpare = targets?.some((target) => spareAddresses.has(target)) ?? false
      if (isSpare || hasFactor(account, factor)) return undefined
      return { ...fact, authenticator: { ...authenticator, user_id: userId } }
    }
    case 'recovery_codes_created':
      return account.recovery_codes > 0 ? undefined : fact
    default:
      return fact
  }
}
