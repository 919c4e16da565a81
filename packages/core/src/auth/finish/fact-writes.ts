import type { GatehouseError } from '../../errors.ts'
import type { Write } from '../../storage/storage.ts'
import { mostOfAKind, recoveryCodeId, verifiedClaimId } from '../accounts/accounts.ts'
import { existingNames, identityKey, incomingNames } from '../accounts/identities.ts'
import { identityRemovalWrites } from '../accounts/identity-removal.ts'
import type { AuthenticatorRecord, IdentityRecord } from '../accounts/records.ts'
import {
  authenticatorCollection,
  codeCollection,
  identityCollection,
  identityKeyCollection,
  recoveryCodeCollection,
  verifiedClaimCollection,
} from '../collections.ts'
import {
  authenticatorTaken,
  identityNotFound,
  invalidCredentials,
  invariantViolated,
  userNotFound,
} from '../errors.ts'
import { accountWith, isPromoted } from '../flow/account.ts'
import type { FlowRun } from '../flow/run.ts'
import { isOfAccount, type Subject } from '../flow/run.ts'
import type { Fact, FactOf, FactWrites } from '../flow/state.ts'
import { codeKey } from '../kinds/oob-otp/otp-store.ts'
import { historyWrites, passwordWrites } from '../kinds/password/password-writes.ts'
import { claimGuardWrites } from '../linking/claim-guards.ts'
import { hasEqual } from '../linking/linked-account.ts'
import { isAddressOf } from '../recovery/recovery-destination.ts'
import { resetFailed } from '../recovery/verify-account-recovery-code.ts'
import { promotionWrites } from './promotion-writes.ts'
import { userWrite } from './user-write.ts'

/**
 * Turns facts into writes. What must be unique or be spent once is a precondition among them.
 *
 * @throws {GatehouseError} `InvariantViolated` if an identity or a passkey is taken, `InvalidCredentials` if a recovery code is spent or
 *   what was shown is not the user's any more, `PasswordResetFailed` if the code of a recovery is spent, or out no more.
 */
export async function writesOfFacts(
  run: FlowRun,
  facts: readonly Fact[],
  subject: Subject,
): Promise<FactWrites> {
  checkAuthenticators(facts, subject)
  const user = userWrite(run, facts, subject)
  const writes: Write[] = [user.write]
  for (const fact of facts) writes.push(...(await writesOf(run, fact, subject)))
  const after = accountWith(subject.account, facts, run.now)
  writes.push(...(await claimGuardWrites(run, facts, after)), ...rehashed(facts, subject))
  return { writes, user: user.user, identities: after?.identities ?? [] }
}

async function writesOf(run: FlowRun, fact: Fact, subject: Subject): Promise<readonly Write[]> {
  switch (fact.kind) {
    case 'user_identified':
      return isPromoted(fact) ? promotionWrites(run.auth.storage, fact.user_id) : []
    case 'identity_created':
      return identityWrites(run, fact)
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
      return recoveryCodesWrites(run, fact, subject.userId)
    case 'recovery_code_used':
      return recoveryCodeWrites(run, fact, subject.userId)
    case 'recovery_otp_used':
      return recoveryOtpWrites(run, fact, subject)
    default:
      return []
  }
}

async function identityWrites(
  { auth }: FlowRun,
  { identity }: FactOf<'identity_created'>,
): Promise<readonly Write[]> {
  const { id, ...record } = identity
  const key = identityKey(record)
  const taken = await identityKeyCollection.get(auth.storage, key)
  if (taken !== undefined) throw identityTaken(record)
  return [
    identityKeyCollection.write(
      key,
      { user_id: record.user_id, identity_id: id },
      { if: 'absent' },
    ),
    identityCollection.write(id, record, { if: 'absent' }),
  ]
}

function identityTaken(identity: IdentityRecord): GatehouseError {
  return invariantViolated('DuplicatedIdentity', 'identity already exists', {
    ...incomingNames(identity),
    ...existingNames(identity),
  })
}

/** Nobody signs in by what was taken from the account while the flow was under way, nor proves it. */
function checkIdentity(
  run: FlowRun,
  { identity_id: used }: FactOf<'identity_used'>,
  { account }: Subject,
): void {
  if (account?.identities.some(({ id }) => id === used) === true) return
  throw isOfAccount(run) ? identityNotFound() : userNotFound({})
}

/** The same of what they have shown: of a password that was changed since, nobody has shown anything. */
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

/** What a provider says of its user now. An identity that has gone meanwhile stays gone. */
async function updatedIdentityWrites(
  { auth }: FlowRun,
  { identity }: FactOf<'identity_updated'>,
): Promise<readonly Write[]> {
  const { id, ...record } = identity
  const stored = await identityCollection.get(auth.storage, id)
  return stored === undefined ? [] : [identityCollection.write(id, record, { if: stored.version })]
}

function claimWrite({ now }: FlowRun, fact: FactOf<'claim_verified'>, userId: string): Write {
  const { name, value, channel } = fact
  const record = { user_id: userId, name, value, channel, created_at: now }
  return verifiedClaimCollection.write(verifiedClaimId(userId, name, value), record)
}

async function authenticatorWrites(
  run: FlowRun,
  fact: FactOf<'authenticator_created'>,
  { account }: Subject,
): Promise<readonly Write[]> {
  const { id, ...record } = fact.authenticator
  if (account !== undefined && hasEqual(account, record)) {
    // An address that was signed in by is one already; of all else two flows have set up one each.
    if ('target' in record && !isOfAccount(run)) return []
    throw authenticatorTaken()
  }
  if (record.type === 'passkey' && (await authenticatorCollection.get(run.auth.storage, id))) {
    throw authenticatorTaken()
  }
  const created = authenticatorCollection.write(id, record as AuthenticatorRecord, { if: 'absent' })
  if (record.type !== 'password' || record.kind !== 'primary') return [created]
  return [created, ...(await historyWrites(run, record.user_id, record.hash))]
}

async function recoveryCodesWrites(
  { auth, now }: FlowRun,
  { hashes }: FactOf<'recovery_codes_created'>,
  userId: string,
): Promise<readonly Write[]> {
  const query = { by: 'user_id', equals: userId, limit: mostOfAKind } as const
  const old = await recoveryCodeCollection.find(auth.storage, query)
  const record = {
    user_id: userId,
    created_at: now,
    consumed_at: null,
    reserved_by: null,
    reserved_until: null,
  }
  const ids = hashes.map((hash) => recoveryCodeId(userId, hash))
  return [
    // Whoever ends a flow that was just ended finds those it has made.
    ...old.filter(({ id }) => !ids.includes(id)).map(({ id }) => recoveryCodeCollection.remove(id)),
    ...ids.map((id) => recoveryCodeCollection.write(id, record)),
  ]
}

async function recoveryCodeWrites(
  { auth, session, now }: FlowRun,
  { hash }: FactOf<'recovery_code_used'>,
  userId: string,
): Promise<readonly Write[]> {
  const record = await recoveryCodeCollection.get(auth.storage, recoveryCodeId(userId, hash))
  const isOurs = record?.value.consumed_at === null && record.value.reserved_by === session.flow_id
  if (record === undefined || !isOurs) throw invalidCredentials('recovery_code')
  const used = { ...record.value, consumed_at: now }
  return [recoveryCodeCollection.write(record.id, used, { if: record.version })]
}

async function recoveryOtpWrites(
  { auth }: FlowRun,
  fact: FactOf<'recovery_otp_used'>,
  { account }: Subject,
): Promise<readonly Write[]> {
  const { target, form, code_id: codeId } = fact
  const key = codeKey(auth, { purpose: 'forgot_password', target })
  const record = await codeCollection.get(auth.storage, key)
  const isOut = record?.value.code_id === codeId && isAddressOf(account, fact)
  if (record === undefined || !isOut) throw resetFailed('InvalidCode', form)
  if (record.value.state === 'used') throw resetFailed('UsedCode', form)
  const used = { ...record.value, state: 'used' } as const
  const expiry = record.expiresAt === undefined ? {} : { expiresAt: record.expiresAt }
  return [codeCollection.write(key, used, { if: record.version, ...expiry })]
}

/** Better hashes of passwords that were used, unless the password is changed anyway. */
function rehashed(facts: readonly Fact[], { account }: Subject): readonly Write[] {
  const changed = new Set(
    facts.flatMap((fact) => (fact.kind === 'password_changed' ? [fact.authenticator_id] : [])),
  )
  return facts.flatMap((fact) => {
    if (fact.kind !== 'authentication_used' || fact.rehash === undefined) return []
    const stored = account?.authenticators.find(({ id }) => id === fact.authenticator_id)
    if (stored?.type !== 'password' || changed.has(stored.id)) return []
    const { id, ...record } = stored
    // Meanwhile it may be the hash of another password.
    if (record.hash !== fact.rehash.from) return []
    return [authenticatorCollection.write(id, { ...record, hash: fact.rehash.to })]
  })
}
