import type { Write } from '../../../storage/storage.ts'
import type { Account, Identified } from '../../accounts/account.ts'
import { withoutOwnDeletion } from '../../accounts/account-status.ts'
import { attributeWrites } from '../../accounts/attribute-index.ts'
import { changeAttributes, type UserProfile } from '../../accounts/user-profile.ts'
import type { Attributes, UserRecord } from '../../accounts/user-record.ts'
import { userCollection } from '../../accounts/user-record.ts'
import type { AuthRun } from '../../context.ts'
import { accountWith, blankUser, isPromoted } from '../../flow/account.ts'
import { isOfAccount, type Subject } from '../../flow/run.ts'
import type { Fact, FactOf } from '../../flow/state.ts'
import { followedAttributes, initialAttributes } from './population.ts'

/** The writes of the user's own record, and of the attributes that the user is found by. */
export function userWrite(
  run: AuthRun,
  facts: readonly Fact[],
  { userId, account, version }: Subject,
  stored: Account | undefined = account,
): { readonly user: Identified<UserRecord>; readonly writes: readonly Write[] } {
  const { now } = run
  const user =
    account === undefined ? newUser(run, facts, userId) : knownUser(run, facts, { account, stored })
  const invited = withInvitation(user, facts)
  const changes = facts.flatMap((fact) => (fact.kind === 'profile_filled' ? fact.changes : []))
  const profile = changes.length === 0 ? {} : changeAttributes(invited, changes)
  const optsOut = facts.some(({ kind }) => kind === 'passkey_opted_out')
  const opensNone = facts.some(
    ({ kind }) => kind === 'recovery_otp_used' || kind === 'session_used',
  )
  const isLogin = !opensNone && !isOfAccount(run)
  const written: UserRecord = {
    ...invited,
    ...profile,
    ...replacedAttributes(facts),
    ...keptAccount(run, facts, user),
    updated_at: changes.length === 0 ? user.updated_at : now,
    last_login_at: isLogin ? now : user.last_login_at,
    opt_out_passkey: optsOut || user.opt_out_passkey,
  }
  const writes = [
    userCollection.write(userId, written, { if: version }),
    ...attributeWrites(userId, account?.user, written),
  ]
  return { user: { ...written, id: userId }, writes }
}

/** Without the deletion, if the flow withdraws it. */
function keptAccount(
  { now }: AuthRun,
  facts: readonly Fact[],
  user: UserRecord,
): Partial<UserRecord> {
  if (!facts.some(({ kind }) => kind === 'deletion_withdrawn')) return {}
  const { delete_at, delete_by } = withoutOwnDeletion(user, now)
  return { delete_at, delete_by }
}

/** With the attributes that come with an invitation. */
function withInvitation(user: UserRecord, facts: readonly Fact[]): UserRecord {
  const invitation = facts.find(
    (fact): fact is FactOf<'invitation_used'> => fact.kind === 'invitation_used',
  )
  if (invitation === undefined) return user
  const { standard_attributes, custom_attributes } = invitation
  return {
    ...user,
    standard_attributes: { ...user.standard_attributes, ...standard_attributes },
    custom_attributes: { ...user.custom_attributes, ...custom_attributes },
  }
}

/** The attributes that the host's hooks have replaced. */
function replacedAttributes(facts: readonly Fact[]): Partial<UserProfile> {
  const { kind: _kind, ...attributes } = facts.find(
    (fact): fact is FactOf<'profile_replaced'> => fact.kind === 'profile_replaced',
  ) ?? { kind: undefined }
  return attributes
}

function newUser(run: AuthRun, facts: readonly Fact[], userId: string): UserRecord {
  const { id: _id, ...blank } = blankUser(userId, run.now)
  return { ...blank, ...population(run, facts) }
}

/** The account, and as it is stored. They differ if the first proof of an address has ended some of it. */
interface Known {
  readonly account: Account
  readonly stored?: Account | undefined
}

/** A promoted user gets the initial attributes of a new user. */
function knownUser(
  run: AuthRun,
  facts: readonly Fact[],
  { account, stored = account }: Known,
): UserRecord {
  const { id: _id, ...user } = account.user
  if (isOfAccount(run) || account !== stored) return changedUser(run, facts, { account, stored })
  const populated = facts.some(isPromoted) ? population(run, facts)?.standard_attributes : undefined
  return { ...user, standard_attributes: { ...populated, ...user.standard_attributes } }
}

/** Addresses and names in the profile follow the identities. */
function changedUser(
  run: AuthRun,
  facts: readonly Fact[],
  { account, stored = account }: Known,
): UserRecord {
  const { id: _id, ...user } = account.user
  const after =
    accountWith(account, facts, { now: run.now, config: run.auth.config.current }) ?? account
  return {
    ...user,
    updated_at: run.now,
    standard_attributes: followedAttributes(user.standard_attributes, {
      before: stored.identities,
      after: after.identities,
      fills: populates(run),
    }),
  }
}

const populates = ({ auth }: AuthRun): boolean =>
  auth.config.current.user_profile.standard_attributes.population.strategy === 'on_signup'

/** The initial attributes of a user, from the identities. */
function population(
  run: AuthRun,
  facts: readonly Fact[],
): { readonly standard_attributes: Attributes } | undefined {
  if (!populates(run)) return undefined
  const identities = facts.flatMap((fact) =>
    fact.kind === 'identity_created' ? [fact.identity] : [],
  )
  return { standard_attributes: initialAttributes(identities) }
}
