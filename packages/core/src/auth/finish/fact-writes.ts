import type { GatehouseError } from '../../errors.ts'
import type { Write } from '../../storage/storage.ts'
import { verifiedClaimId } from '../accounts/accounts.ts'
import { existingNames, identityKey, incomingNames } from '../accounts/identities.ts'
import { identityRemovalWrites } from '../accounts/identity-removal.ts'
import type { AuthenticatorRecord, IdentityRecord } from '../accounts/records.ts'
import {
  authenticatorCollection,
  identityCollection,
  identityKeyCollection,
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
import { historyWrites, passwordWrites, rehashed } from '../kinds/password/password-writes.ts'
import {
  recoveryCodesWrites,
  recoveryCodeWrites,
} from '../kinds/recovery-code/recovery-code-writes.ts'
import { hasTotpSecret } from '../kinds/totp/totp-answers.ts'
import { claimGuardWrites } from '../linking/claim-guards.ts'
import { hasEqual } from '../linking/linked-account.ts'
import { recoveryOtpWrites } from '../recovery/recovery-writes.ts'
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
  run: FlowRun,
  facts: readonly Fact[],
  subject: Subject,
): Promise<FactWrites> {
  checkAuthenticators(facts, subject)
  const user = userWrite(run, facts, subject)
  await checkNewIdentities(run, facts)
  const writes: Write[] = [...user.writes]
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
      return identityWrites(fact)
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
    case 'recovery_otp_used':
      return recoveryOtpWrites(run, fact, subject)
    default:
      return []
  }
}

/** Refuses an identity that is taken. The writes ensure that it stays free until the commit. */
async function checkNewIdentities({ auth }: FlowRun, facts: readonly Fact[]): Promise<void> {
  const made = facts.flatMap((fact) => (fact.kind === 'identity_created' ? [fact.identity] : []))
  if (made.length === 0) return
  const owners = await identityKeyCollection.getAll(auth.storage, made.map(identityKey))
  const taken = made.find((_, index) => owners[index] !== undefined)
  if (taken !== undefined) throw identityTaken(taken)
}

function identityWrites({ identity }: FactOf<'identity_created'>): readonly Write[] {
  const { id, ...record } = identity
  return [
    identityKeyCollection.write(
      identityKey(record),
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

/** Refuses an identity that was removed from the account during the flow. */
function checkIdentity(
  run: FlowRun,
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
