import { sha256Hex } from '../crypto.ts'
import type { GatehouseError } from '../errors.ts'
import type { Version, Write } from '../storage.ts'
import { blankUser } from './account.ts'
import { byNewest, loginIdKey, mostOfAKind, recoveryCodeId } from './accounts.ts'
import {
  authenticatorCollection,
  codeCollection,
  deviceTokenCollection,
  identityCollection,
  identityKeyCollection,
  passwordHistoryCollection,
  recoveryCodeCollection,
  userCollection,
  verifiedClaimCollection,
} from './collections.ts'
import { invalidCredentials, invariantViolated, userNotFound } from './errors.ts'
import type { FlowRun } from './flow-run.ts'
import type { Fact } from './flow-state.ts'
import { codeKey } from './otp-store.ts'
import type {
  Account,
  Attributes,
  AuthenticatorRecord,
  IdentityRecord,
  PasswordAuthenticator,
  UserRecord,
} from './records.ts'
import { resetFailed } from './steps/verify-account-recovery-code.ts'
import { changeAttributes } from './user-profile.ts'

/** What the facts of a flow come to, as parts of one commit. */
export interface FactWrites {
  readonly writes: readonly Write[]
}

/** Whose facts they are. */
export interface Subject {
  readonly userId: string
  /** What is stored about the user; `undefined` for one who is made now. */
  readonly account: Account | undefined
}

type FactOf<Kind extends Fact['kind']> = Extract<Fact, { readonly kind: Kind }>

/**
 * Turns facts into writes. What must be unique or be spent once is a precondition among them.
 *
 * @throws {GatehouseError} `InvariantViolated` if an identity is taken, `InvalidCredentials` if a recovery code is spent,
 *   `PasswordResetFailed` if the code of a recovery is.
 */
export async function writesOfFacts(
  run: FlowRun,
  facts: readonly Fact[],
  subject: Subject,
): Promise<FactWrites> {
  const writes: Write[] = [await userWrite(run, facts, subject)]
  for (const fact of facts) writes.push(...(await writesOf(run, fact, subject)))
  writes.push(...rehashed(facts, subject))
  return { writes }
}

async function writesOf(run: FlowRun, fact: Fact, subject: Subject): Promise<readonly Write[]> {
  switch (fact.kind) {
    case 'identity_created':
      return identityWrites(run, fact)
    case 'claim_verified':
      return [claimWrite(run, fact, subject.userId)]
    case 'authenticator_created':
      return authenticatorWrites(run, fact)
    case 'password_changed':
      return passwordWrites(run, fact, subject)
    case 'recovery_codes_created':
      return recoveryCodesWrites(run, fact, subject.userId)
    case 'recovery_code_used':
      return recoveryCodeWrites(run, fact, subject.userId)
    case 'recovery_otp_used':
      return recoveryOtpWrites(run, fact)
    default:
      return []
  }
}

async function userWrite(
  run: FlowRun,
  facts: readonly Fact[],
  { userId, account }: Subject,
): Promise<Write> {
  const { auth, now } = run
  const stored = account && (await userCollection.get(auth.storage, userId))
  if (account !== undefined && stored === undefined) throw userNotFound({})
  const { id: _id, ...blank } = blankUser(userId, now)
  const user = stored?.value ?? { ...blank, ...population(run, facts) }
  const changes = facts.flatMap((fact) => (fact.kind === 'profile_filled' ? fact.changes : []))
  const profile = changes.length === 0 ? {} : changeAttributes(user, changes)
  const isLogin = facts.some(
    ({ kind }) => kind === 'authentication_used' || kind === 'user_created',
  )
  const written: UserRecord = {
    ...user,
    ...profile,
    updated_at: changes.length === 0 ? user.updated_at : now,
    last_login_at: isLogin ? now : user.last_login_at,
  }
  return userCollection.write(userId, written, { if: stored?.version ?? 'absent' })
}

/** The attributes a new user starts with: what the first identity says. */
function population(
  { auth }: FlowRun,
  facts: readonly Fact[],
): { readonly standard_attributes: Attributes } | undefined {
  const { strategy } = auth.config.current.user_profile.standard_attributes.population
  const first = facts.find(
    (fact): fact is FactOf<'identity_created'> => fact.kind === 'identity_created',
  )
  if (strategy !== 'on_signup' || first === undefined) return undefined
  const { email, phone_number, preferred_username } = first.identity
  const named = Object.entries({ email, phone_number, preferred_username })
  return {
    standard_attributes: Object.fromEntries(
      named.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
  }
}

async function identityWrites(
  { auth }: FlowRun,
  { identity }: FactOf<'identity_created'>,
): Promise<readonly Write[]> {
  const { id, ...record } = identity
  const key = loginIdKey(record.login_id_type, record.unique_key)
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

function identityTaken({ type, login_id_type }: IdentityRecord): GatehouseError {
  return invariantViolated('DuplicatedIdentity', 'identity already exists', {
    IdentityTypeIncoming: type,
    LoginIDTypeIncoming: login_id_type,
    IdentityTypeExisting: type,
    LoginIDTypeExisting: login_id_type,
  })
}

/** The id of what says that a claim of a user is verified. */
export function verifiedClaimId(userId: string, name: string, value: string): string {
  return `${userId}:${name}:${sha256Hex(value)}`
}

function claimWrite({ now }: FlowRun, fact: FactOf<'claim_verified'>, userId: string): Write {
  const { name, value, channel } = fact
  const record = { user_id: userId, name, value, channel, created_at: now }
  return verifiedClaimCollection.write(verifiedClaimId(userId, name, value), record)
}

async function authenticatorWrites(
  run: FlowRun,
  fact: FactOf<'authenticator_created'>,
): Promise<readonly Write[]> {
  const { id, ...record } = fact.authenticator
  const created = authenticatorCollection.write(id, record as AuthenticatorRecord, { if: 'absent' })
  if (record.type !== 'password' || record.kind !== 'primary') return [created]
  return [created, ...(await historyWrites(run, record.user_id, record.hash))]
}

async function passwordWrites(
  run: FlowRun,
  fact: FactOf<'password_changed'>,
  { userId, account }: Subject,
): Promise<readonly Write[]> {
  const { auth, now } = run
  const config = auth.config.current
  const changed = await changedPassword(run, fact, userId)
  const writes: Write[] = [
    authenticatorCollection.write(changed.id, changed.record, { if: changed.version }),
  ]
  if (fact.reason === 'recovery') {
    // Whatever other passwords there were, the new one is the only one.
    const others = account?.authenticators.filter(
      ({ id, type, kind }) => type === 'password' && kind === 'primary' && id !== changed.id,
    )
    writes.push(...(others ?? []).map(({ id }) => authenticatorCollection.remove(id)))
    if (config.authentication.device_token.revoke_on_password_reset) {
      writes.push(...(await deviceTokenRemovals(run, userId)))
    }
  }
  if (changed.record.kind === 'primary')
    writes.push(...(await historyWrites(run, userId, fact.hash, now)))
  return writes
}

interface ChangedPassword {
  readonly id: string
  readonly record: PasswordAuthenticator
  readonly version: 'absent' | Version
}

async function changedPassword(
  { auth, now }: FlowRun,
  { authenticator_id: id, hash }: FactOf<'password_changed'>,
  userId: string,
): Promise<ChangedPassword> {
  const stored = id === null ? undefined : await authenticatorCollection.get(auth.storage, id)
  if (stored?.value.type === 'password') {
    const record = { ...stored.value, hash, updated_at: now, expire_after: null }
    return { id: stored.id, record, version: stored.version }
  }
  const record: PasswordAuthenticator = {
    type: 'password',
    kind: 'primary',
    user_id: userId,
    hash,
    expire_after: null,
    created_at: now,
    updated_at: now,
  }
  return { id: auth.ids.random(), record, version: 'absent' }
}

const dayMs = 86_400_000

/** A password joins those that may not be used again; those nobody asks about any more are dropped. */
export async function historyWrites(
  { auth }: Pick<FlowRun, 'auth'>,
  userId: string,
  hash: string,
  now: number = auth.clock.now(),
): Promise<readonly Write[]> {
  const { history_size: size, history_days: days } =
    auth.config.current.authenticator.password.policy
  if (size === 0 && days === 0) return []
  const query = { by: 'user_id', equals: userId, limit: mostOfAKind } as const
  const found = await passwordHistoryCollection.find(auth.storage, query)
  const newest = found.sort(byNewest)
  const stale = newest.filter(({ value }, index) => {
    return index + 1 >= size && value.created_at <= now - days * dayMs
  })
  const record = { user_id: userId, hash, created_at: now }
  return [
    passwordHistoryCollection.write(auth.ids.ordered(), record, { if: 'absent' }),
    ...stale.map(({ id }) => passwordHistoryCollection.remove(id)),
  ]
}

async function deviceTokenRemovals({ auth }: FlowRun, userId: string): Promise<readonly Write[]> {
  const query = { by: 'user_id', equals: userId, limit: mostOfAKind } as const
  const tokens = await deviceTokenCollection.find(auth.storage, query)
  return tokens.map(({ id }) => deviceTokenCollection.remove(id))
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
  return [
    ...old.map(({ id }) => recoveryCodeCollection.remove(id)),
    ...hashes.map((hash) => recoveryCodeCollection.write(recoveryCodeId(userId, hash), record)),
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
  { channel: _channel, target, code_id: codeId }: FactOf<'recovery_otp_used'>,
): Promise<readonly Write[]> {
  const key = codeKey(auth, { purpose: 'forgot_password', target })
  const record = await codeCollection.get(auth.storage, key)
  const isGood = record?.value.code_id === codeId && record.value.state !== 'used'
  if (record === undefined || !isGood) throw resetFailed('UsedCode', record?.value.form ?? 'code')
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
    return [authenticatorCollection.write(id, { ...record, hash: fact.rehash })]
  })
}
