import type { Instant } from '../../time/clock.ts'
import type { Account, Identified } from '../accounts/account.ts'
import { withoutOwnDeletion } from '../accounts/account-status.ts'
import type { AuthenticatorRecord } from '../accounts/authenticator-record.ts'
import { withoutIdentity } from '../accounts/identity-removal.ts'
import type { UserRecord } from '../accounts/user-record.ts'
import type { VerifiedClaimRecord } from '../accounts/verified-claim-record.ts'
import { noUserId } from '../errors.ts'
import type { Asking } from './asking.ts'
import { ask } from './questions.ts'
import { afterFirstProof } from './session/first-proof.ts'
import type { Fact } from './state.ts'
import type { FlowView } from './view.ts'

/**
 * The user a flow is about, once identified. Includes a user yet to be created, and a stand-in for an unknown user whose absence
 * must stay hidden.
 */
export function userIdOf(facts: readonly Fact[]): string | undefined {
  for (const fact of facts) {
    if (fact.kind === 'user_created' || fact.kind === 'user_identified') return fact.user_id
    if (fact.kind === 'user_unknown') return fact.identity.user_id
  }
  return undefined
}

/**
 * The user of a flow once an identity has identified them. A sign-up and a promotion have a user before that.
 */
export function identifiedUserOf(facts: readonly Fact[]): string | undefined {
  const isIdentified = facts.some(
    (fact) =>
      fact.kind === 'identity_created' ||
      fact.kind === 'user_unknown' ||
      (fact.kind === 'user_identified' && !isPromoted(fact)),
  )
  return isIdentified ? userIdOf(facts) : undefined
}

/** Whether the flow runs for a user who does not exist. */
export function isUserUnknown(facts: readonly Fact[]): boolean {
  return facts.some(({ kind }) => kind === 'user_unknown')
}

/** A user with an id and default values. */
export function blankUser(id: string, now: Instant): Identified<UserRecord> {
  return {
    id,
    created_at: now,
    updated_at: now,
    last_login_at: null,
    is_disabled: false,
    disable_reason: null,
    delete_at: null,
    delete_by: null,
    is_anonymized: false,
    anonymize_at: null,
    account_valid_from: null,
    account_valid_until: null,
    mfa_grace_end: null,
    opt_out_passkey: false,
    standard_attributes: {},
    custom_attributes: {},
  }
}

/**
 * The account a flow is about, as it would be if the flow ended now: the stored account with the facts of the flow applied.
 * `undefined` before a user is identified, and if the user was deleted since.
 */
export function* accountOf(view: FlowView): Asking<Account | undefined> {
  const { state } = view
  const userId = userIdOf(state.facts)
  if (userId === undefined) return undefined
  const isStored = state.facts.some(({ kind }) => kind === 'user_identified')
  // Look up an unknown user too, so that timing reveals nothing.
  const isAsked = isStored || isUserUnknown(state.facts)
  const found = isAsked ? yield* ask('account', { user_id: userId }) : undefined
  return accountWith(found, state.facts, view)
}

/** Like {@link accountOf}, from a given stored account. */
export function accountWith(
  found: Account | undefined,
  facts: readonly Fact[],
  { now, config }: Pick<FlowView, 'now' | 'config'>,
): Account | undefined {
  const userId = userIdOf(facts)
  if (userId === undefined) return undefined
  const isStored = facts.some(({ kind }) => kind === 'user_identified')
  const stored = isStored
    ? found && afterFirstProof(found, facts, config)
    : blankAccount(userId, now)
  return stored && facts.reduce((account, fact) => layOver(account, fact, now), stored)
}

/**
 * The account of a step that needs one.
 *
 * @throws {GatehouseError} `AuthenticationFlowNoUserID`
 */
export function* needAccount(view: FlowView): Asking<Account> {
  const account = yield* accountOf(view)
  if (account === undefined) throw noUserId()
  return account
}

function blankAccount(userId: string, now: Instant): Account {
  const user = blankUser(userId, now)
  return { user, identities: [], authenticators: [], verified_claims: [], recovery_codes: 0 }
}

function layOver(account: Account, fact: Fact, now: Instant): Account {
  const { user, identities, authenticators, verified_claims: claims } = account
  switch (fact.kind) {
    case 'user_unknown':
    case 'identity_created':
      return { ...account, identities: [...identities, fact.identity] }
    case 'identity_removed':
      return withoutIdentity(account, fact.identity)
    case 'authenticator_created':
      return { ...account, authenticators: [...authenticators, fact.authenticator] }
    case 'claim_verified': {
      const { name, value, channel } = fact
      const claim: VerifiedClaimRecord = { user_id: user.id, name, value, channel, created_at: now }
      return { ...account, verified_claims: [...claims, claim] }
    }
    case 'password_changed': {
      const change = (one: Identified<AuthenticatorRecord>): Identified<AuthenticatorRecord> =>
        one.type === 'password' && one.id === fact.authenticator_id
          ? { ...one, hash: fact.hash, updated_at: now, expire_after: null }
          : one
      return { ...account, authenticators: authenticators.map(change) }
    }
    case 'deletion_withdrawn':
      return { ...account, user: withoutOwnDeletion(user, now) }
    case 'recovery_codes_created':
      return { ...account, recovery_codes: fact.hashes.length }
    default:
      return account
  }
}

/** Whether an address is verified for the account. */
export function isVerified(account: Account, name: string, value: string): boolean {
  return account.verified_claims.some((claim) => claim.name === name && claim.value === value)
}

/** Whether the fact says that the flow promotes an anonymous user. */
export const isPromoted = (fact: Fact): boolean =>
  fact.kind === 'user_identified' && fact.is_promoted === true
