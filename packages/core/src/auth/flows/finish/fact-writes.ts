import type { GatehouseError } from '../../../errors.ts'
import type { Version, Write } from '../../../storage/storage.ts'
import type { Account } from '../../accounts/account.ts'
import { verifiedClaimId } from '../../accounts/accounts.ts'
import type { AuthenticatorRecord } from '../../accounts/authenticator-record.ts'
import { authenticatorCollection } from '../../accounts/authenticator-record.ts'
import { existingNames, identityKey, incomingNames } from '../../accounts/identities.ts'
import type { IdentityRecord } from '../../accounts/identity-record.ts'
import { identityCollection, identityKeyCollection } from '../../accounts/identity-record.ts'
import { identityRemovalWrites } from '../../accounts/identity-removal.ts'
import { verifiedClaimCollection } from '../../accounts/verified-claim-record.ts'
import type { AuthRun } from '../../context.ts'
import {
  authenticatorTaken,
  identityNotFound,
  invalidCredentials,
  invariantViolated,
  userNotFound,
} from '../../errors.ts'
import { accountWith, isPromoted, isVerified } from '../../flow/account.ts'
import { isOfAccount, isOfHost, type Subject } from '../../flow/run.ts'
import { afterFirstProof, provableClaim } from '../../flow/session/first-proof.ts'
import type { Fact, FactOf, FactWrites } from '../../flow/state.ts'
import { invitationWrites } from '../../invitations/begin-invited.ts'
import { historyWrites, passwordWrites, rehashed } from '../../kinds/password/password-writes.ts'
import {
  recoveryCodesWrites,
  recoveryCodeWrites,
} from '../../kinds/recovery-code/recovery-code-writes.ts'
import { hasTotpSecret } from '../../kinds/totp/totp-answers.ts'
import { claimGuardWrites } from '../../linking/claim-guards.ts'
import { hasEqual } from '../../linking/linked-account.ts'
import { recoveryOtpWrites } from '../../recovery/recovery-writes.ts'
import {
  type EndedAccess,
  endedAccess,
  lostOf,
  type TakenAddresses,
  takenAddresses,
} from './first-proof-writes.ts'
import { promotionWrites } from './promotion-writes.ts'
import { userWrite } from './user-write.ts'

/**
 * Turns facts into writes. Preconditions among them ensure uniqueness, and that codes are used once.
 *
 * @throws {GatehouseError} `InvariantViolated` if an identity or a passkey is taken; `InvalidCredentials` if a recovery code is
 * used up, or a shown authenticator no longer belongs to the user; `PasswordResetFailed` if the code of a recovery is used up or
 * no longer valid.
 */
export async function writesOfFacts(
  run: AuthRun,
  facts: readonly Fact[],
  stored: Subject,
): Promise<FactWrites> {
  const view = { now: run.now, config: run.auth.config.current }
  const account = ownedAccount(run, facts, stored.account)
  const subject = { ...stored, account }
  checkAuthenticators(facts, subject)
  const user = userWrite(run, facts, subject, stored.account)
  const after = accountWith(account, facts, view)
  const taken = isOfHost(run) ? nothingTaken : await takenAddresses(run, facts, after)
  const keys = await newKeys(run, facts, taken.identities)
  const writes: Write[] = [...user.writes]
  for (const fact of facts) {
    writes.push(
      ...(fact.kind === 'identity_created'
        ? identityWrites(run, fact, { after, keys })
        : await writesOf(run, fact, subject)),
    )
  }
  writes.push(...(await claimGuardWrites(run, facts, after)), ...rehashed(facts, subject))
  const isFirst = account !== stored.account
  const { writes: removals, ...access } =
    isFirst && account !== undefined && stored.account !== undefined
      ? await endedAccess(run.auth, stored.account, account)
      : nothingEnded
  const lost = {
    ends_sessions: isFirst,
    identities: [
      ...lostOf(stored.account?.identities ?? [], account?.identities ?? []),
      ...taken.identities,
    ],
    authenticators: lostOf(stored.account?.authenticators ?? [], account?.authenticators ?? []),
    ...access,
  }
  return {
    writes: withRemovals(writes, [...removals, ...taken.writes]),
    user: user.user,
    identities: after?.identities ?? [],
    lost,
  }
}

const nothingEnded: EndedAccess = { writes: [], api_keys: [], apps: undefined }

const nothingTaken: TakenAddresses = { identities: [], writes: [] }

/** The stored account, without what the first proof of an address ends. A host's own proof ends nothing. */
function ownedAccount(
  run: AuthRun,
  facts: readonly Fact[],
  account: Account | undefined,
): Account | undefined {
  if (account === undefined || isOfHost(run)) return account
  return afterFirstProof(account, facts, run.auth.config.current)
}

/** Adds writes of records that are not written yet. */
function withRemovals(writes: readonly Write[], more: readonly Write[]): readonly Write[] {
  const nameOf = ({ collection, id }: Write): string => `${collection.name} ${id}`
  const written = new Set(writes.map(nameOf))
  return [...writes, ...more.filter((one) => !written.has(nameOf(one)))]
}

async function writesOf(run: AuthRun, fact: Fact, subject: Subject): Promise<readonly Write[]> {
  switch (fact.kind) {
    case 'user_identified':
      return isPromoted(fact) ? promotionWrites(run.auth.storage, fact.user_id) : []
    case 'identity_removed':
      return removedIdentityWrites(fact, subject)
    case 'identity_used':
      checkIdentity(run, fact, subject)
      return []
    case 'identity_updated':
      return updatedIdentityWrites(run, fact)
    case 'claim_verified':
      return [claimWrite(run, fact, subject.userId)]
    case 'authenticator_created':
      return authenticatorWrites(run, fact, subject)
    case 'password_changed':
      return passwordWrites(run, fact, subject)
    case 'recovery_codes_created':
      return recoveryCodesWrites(run, fact, subject)
    case 'recovery_code_used':
      return recoveryCodeWrites(run, fact, subject.userId)
    case 'invitation_used':
      return invitationWrites(run.auth, fact)
    case 'recovery_otp_used':
      return recoveryOtpWrites(run, fact, subject)
    default:
      return []
  }
}

type Keys = ReadonlyMap<string, Version>

/**
 * The keys of new identities that are taken over, with their versions. Refuses an identity that is taken. The writes ensure that
 * it stays free until the commit.
 */
async function newKeys(
  { auth }: AuthRun,
  facts: readonly Fact[],
  takenOver: readonly IdentityRecord[],
): Promise<Keys> {
  const made = facts.flatMap((fact) => (fact.kind === 'identity_created' ? [fact.identity] : []))
  const keys = new Map<string, Version>()
  if (made.length === 0) return keys
  const owners = await identityKeyCollection.getAll(auth.storage, made.map(identityKey))
  const free = new Set(takenOver.map(identityKey))
  for (const [index, identity] of made.entries()) {
    const owner = owners[index]
    if (owner === undefined) continue
    const key = identityKey(identity)
    if (!free.has(key)) throw identityTaken(identity)
    keys.set(key, owner.version)
  }
  return keys
}

/** The writes of a new identity. Remembers if its address is not proven. */
function identityWrites(
  run: AuthRun,
  { identity }: FactOf<'identity_created'>,
  { after, keys }: { readonly after: Account | undefined; readonly keys: Keys },
): readonly Write[] {
  const { id, ...record } = identity
  const claim = provableClaim(record)
  const isProven =
    claim === undefined || after === undefined || isVerified(after, claim.name, claim.value)
  const key = identityKey(record)
  const mark = isProven || record.type !== 'login_id' ? {} : { is_unproven: !isOfHost(run) }
  return [
    identityKeyCollection.write(
      key,
      { user_id: record.user_id, identity_id: id },
      { if: keys.get(key) ?? 'absent' },
    ),
    identityCollection.write(id, { ...record, ...mark }, { if: 'absent' }),
  ]
}

function identityTaken(identity: IdentityRecord): GatehouseError {
  return invariantViolated('DuplicatedIdentity', 'identity already exists', {
    ...incomingNames(identity),
    ...existingNames(identity),
  })
}

/** Refuses an identity that was removed from the account during the flow. */
function checkIdentity(
  run: AuthRun,
  { identity_id: used }: FactOf<'identity_used'>,
  { account }: Subject,
): void {
  if (account?.identities.some(({ id }) => id === used) === true) return
  throw isOfAccount(run) ? identityNotFound() : userNotFound({})
}

/** Refuses an authenticator that was removed during the flow, or a password that was changed. */
function checkAuthenticators(facts: readonly Fact[], { account }: Subject): void {
  const created = facts.flatMap((fact) =>
    fact.kind === 'authenticator_created' ? [fact.authenticator.id] : [],
  )
  for (const fact of facts) {
    if (fact.kind !== 'authentication_used') continue
    const { authenticator_id: id, authentication, since } = fact
    if (id === null || created.includes(id)) continue
    const stored = account?.authenticators.find((one) => one.id === id)
    if (stored !== undefined && (since ?? stored.updated_at) === stored.updated_at) continue
    throw invalidCredentials(authentication.replace(/^(primary|secondary)_/, ''))
  }
}

function removedIdentityWrites(
  { identity }: FactOf<'identity_removed'>,
  { account }: Subject,
): readonly Write[] {
  const stored = account?.identities.find(({ id }) => id === identity.id)
  if (account === undefined || stored === undefined) throw identityNotFound()
  return identityRemovalWrites(account, stored)
}

/** Stores a provider's current claims. An identity that was removed meanwhile stays removed. */
async function updatedIdentityWrites(
  { auth }: AuthRun,
  { identity }: FactOf<'identity_updated'>,
): Promise<readonly Write[]> {
  const { id, ...record } = identity
  const stored = await identityCollection.get(auth.storage, id)
  return stored === undefined ? [] : [identityCollection.write(id, record, { if: stored.version })]
}

function claimWrite({ now }: AuthRun, fact: FactOf<'claim_verified'>, userId: string): Write {
  const { name, value, channel } = fact
  const record = { user_id: userId, name, value, channel, created_at: now }
  return verifiedClaimCollection.write(verifiedClaimId(userId, name, value), record)
}

async function authenticatorWrites(
  run: AuthRun,
  fact: FactOf<'authenticator_created'>,
  { account }: Subject,
): Promise<readonly Write[]> {
  const { id, ...record } = fact.authenticator
  if (account !== undefined && hasEqual(account, record)) {
    // A login with a code to this address has already created it. For other kinds, a concurrent flow created an equal one.
    if ('target' in record && !isOfAccount(run)) return []
    throw authenticatorTaken()
  }
  if (account !== undefined && record.type === 'totp' && hasTotpSecret(run, account, record)) {
    throw authenticatorTaken()
  }
  if (record.type === 'passkey' && (await authenticatorCollection.get(run.auth.storage, id))) {
    throw authenticatorTaken()
  }
  const created = authenticatorCollection.write(id, record as AuthenticatorRecord, { if: 'absent' })
  if (record.type !== 'password' || record.kind !== 'primary') return [created]
  return [created, ...(await historyWrites(run, record.user_id, record.hash))]
}
