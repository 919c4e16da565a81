import { type GatehouseError, isGatehouseError } from '../../errors.ts'
import { decodeInput, listOf } from '../../input/decode.ts'
import type { Write } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import { verifiedClaimId } from '../accounts/accounts.ts'
import { attributeWrites } from '../accounts/attribute-index.ts'
import { claimOfLoginId, identityKey } from '../accounts/identities.ts'
import type { AuthenticatorRecord, IdentityRecord, UserRecord } from '../accounts/records.ts'
import {
  authenticatorCollection,
  identityCollection,
  identityKeyCollection,
  userCollection,
  verifiedClaimCollection,
} from '../collections.ts'
import type { AuthContext } from '../context.ts'
import { invariantViolated, validationFailed } from '../errors.ts'
import { eventIdentity, eventUser } from '../events/event-records.ts'
import { hostEvent, outboxWrites } from '../events/outbox.ts'
import { blankUser } from '../flow/account.ts'
import { historyWrites } from '../kinds/password/password-writes.ts'
import { totpSeal } from '../kinds/totp/totp-answers.ts'
import { claimGuardsOf } from '../linking/claim-guards.ts'
import { type LoginId, type LoginIdType, readLoginId } from '../login-ids/login-id.ts'
import { decodeBase32 } from '../secrets/base32.ts'
import { type DecodedUser, type ImportedUser, importedRecord, problemsOf } from './imported-user.ts'

export type { ImportedUser } from './imported-user.ts'

/** The outcome of a record. */
export type ImportOutcome =
  | { readonly outcome: 'inserted'; readonly user_id: string }
  | { readonly outcome: 'failed'; readonly error: GatehouseError }

/** Each record is decoded separately, so that it fails alone. */
const unread = (value: unknown): unknown => value

/**
 * Imports users from another system, each in one commit. A record that is invalid, or whose login ID is taken, fails alone.
 * Passwords are given as hashes; bcrypt is supported, also over SHA-512.
 *
 * @throws {GatehouseError} `InvalidInput` if `records` is not a list.
 * @see Authgear, User Import API
 */
export async function importUsers(
  auth: AuthContext,
  records: readonly ImportedUser[],
): Promise<readonly ImportOutcome[]> {
  const outcomes: ImportOutcome[] = []
  for (const [index, given] of decodeInput('records', listOf(unread), records).entries()) {
    try {
      const record = decodeInput(`records[${index}]`, importedRecord, given)
      const problems = problemsOf(record)
      if (problems.length > 0) throw validationFailed(problems)
      outcomes.push({ outcome: 'inserted', user_id: await storeNewUser(auth, record) })
    } catch (error) {
      if (!isGatehouseError(error)) throw error
      outcomes.push({ outcome: 'failed', error })
    }
  }
  return outcomes
}

/**
 * Stores a user with everything given. Returns the id. Password hashes are stored unchanged.
 *
 * @throws {GatehouseError} `ValidationFailed`; `InvariantViolated` if a login ID is taken.
 */
export async function storeNewUser(auth: AuthContext, given: DecodedUser): Promise<string> {
  const { storage, clock, ids } = auth
  const now = clock.now()
  const userId = ids.random()
  const loginIds = loginIdsOf(auth, given)
  if (loginIds.length === 0) {
    const details = { actual: Object.keys(given).sort(), expected: ['email'], missing: ['email'] }
    throw validationFailed([{ location: '', kind: 'required', details }])
  }
  const identities = loginIds.map((loginId) => identityOf(auth, loginId, userId, now))
  const { id: _id, ...user } = { ...blankUser(userId, now), ...settingsOf(given) }
  const authenticators = authenticatorsOf(auth, given, userId, now)
  const record = withClaims(user, loginIds, given)
  const payload = {
    user: eventUser({ ...record, id: userId }),
    identities: identities.map(eventIdentity),
  }
  const event = hostEvent(auth, 'user.created', payload, userId)
  const writes: Write[] = [
    userCollection.write(userId, record, { if: 'absent' }),
    ...attributeWrites(userId, undefined, record),
    ...(await identityWrites(auth, identities)),
    ...identities.flatMap((identity) => claimGuardsOf(identity, now)),
    ...verifiedClaims(loginIds, given, userId, now),
    ...authenticators.map((record) =>
      authenticatorCollection.write(ids.random(), record, { if: 'absent' }),
    ),
    ...(given.password === undefined
      ? []
      : await historyWrites({ auth }, userId, given.password.password_hash)),
    ...outboxWrites(auth, [event]),
  ]
  try {
    await storage.commit(writes)
  } catch (error) {
    if (isGatehouseError(error) && error.kind === 'Conflict') throw identityTaken()
    throw error
  }
  return userId
}

const identityTaken = (): GatehouseError =>
  invariantViolated('DuplicatedIdentity', 'identity already exists')

/** Login IDs are not checked against block lists, because the users already exist. */
function loginIdsOf(auth: AuthContext, given: DecodedUser): readonly LoginId[] {
  const texts: readonly (readonly [LoginIdType, keyof ImportedUser, string | undefined])[] = [
    ['email', 'email', given.email],
    ['phone', 'phone_number', given.phone_number],
    ['username', 'preferred_username', given.preferred_username],
  ]
  return texts.flatMap(([type, member, text]) => {
    return text === undefined ? [] : [loginIdOf(auth, type, text, `/${member}`)]
  })
}

function loginIdOf(
  { loginIdRules, config }: AuthContext,
  type: LoginIdType,
  text: string,
  location: string,
): LoginId {
  const read = readLoginId(type, text, loginIdRules(config.current), 'look-up')
  if ('loginId' in read) return read.loginId
  throw validationFailed([{ location, ...read.problem }], 'invalid login ID')
}

function identityOf(
  { config, ids }: AuthContext,
  loginId: LoginId,
  userId: string,
  now: Instant,
): { id: string } & IdentityRecord {
  const { type, original, normalized, uniqueKey } = loginId
  const key = config.current.identity.login_id.keys.find((one) => one.type === type)?.key ?? type
  return {
    id: ids.random(),
    type: 'login_id',
    user_id: userId,
    created_at: now,
    login_id_type: type,
    login_id_key: key,
    original,
    normalized,
    unique_key: uniqueKey,
    [claimOfLoginId[type]]: normalized,
  }
}

async function identityWrites(
  { storage }: AuthContext,
  identities: readonly ({ readonly id: string } & IdentityRecord)[],
): Promise<readonly Write[]> {
  const writes: Write[] = []
  for (const { id, ...record } of identities) {
    const key = identityKey(record)
    if ((await identityKeyCollection.get(storage, key)) !== undefined) throw identityTaken()
    writes.push(
      identityKeyCollection.write(
        key,
        { user_id: record.user_id, identity_id: id },
        { if: 'absent' },
      ),
      identityCollection.write(id, record, { if: 'absent' }),
    )
  }
  return writes
}

function settingsOf(given: DecodedUser): Partial<UserRecord> {
  const {
    disabled: isDisabled = false,
    account_valid_from: from,
    account_valid_until: until,
  } = given
  return {
    is_disabled: isDisabled,
    account_valid_from: from ?? null,
    account_valid_until: until ?? null,
    custom_attributes: given.custom_attributes ?? {},
  }
}

function withClaims(
  user: UserRecord,
  loginIds: readonly LoginId[],
  given: DecodedUser,
): UserRecord {
  const claims = Object.fromEntries(
    loginIds.map(({ type, normalized }) => [claimOfLoginId[type], normalized]),
  )
  return { ...user, standard_attributes: { ...claims, ...given.standard_attributes } }
}

function verifiedClaims(
  loginIds: readonly LoginId[],
  given: DecodedUser,
  userId: string,
  now: Instant,
): readonly Write[] {
  const isVerified = {
    email: given.email_verified,
    phone: given.phone_number_verified,
    username: false,
  }
  return loginIds.flatMap(({ type, normalized }) => {
    if (isVerified[type] !== true) return []
    const name = claimOfLoginId[type]
    const record = { user_id: userId, name, value: normalized, channel: null, created_at: now }
    return [verifiedClaimCollection.write(verifiedClaimId(userId, name, normalized), record)]
  })
}

function authenticatorsOf(
  auth: AuthContext,
  { password, mfa = {} }: DecodedUser,
  userId: string,
  now: Instant,
): readonly AuthenticatorRecord[] {
  const base = { user_id: userId, created_at: now, updated_at: now }
  const made: AuthenticatorRecord[] = []
  if (password !== undefined) {
    const expiry = { expire_after: password.expire_after ?? null }
    made.push({
      ...base,
      type: 'password',
      kind: 'primary',
      hash: password.password_hash,
      ...expiry,
    })
  }
  if (mfa.password !== undefined) {
    const { password_hash: hash } = mfa.password
    made.push({ ...base, type: 'password', kind: 'secondary', hash, expire_after: null })
  }
  if (mfa.email !== undefined) {
    const { normalized: target } = loginIdOf(auth, 'email', mfa.email, '/mfa/email')
    made.push({ ...base, type: 'oob_otp_email', kind: 'secondary', target })
  }
  if (mfa.phone_number !== undefined) {
    const { normalized: target } = loginIdOf(auth, 'phone', mfa.phone_number, '/mfa/phone_number')
    made.push({ ...base, type: 'oob_otp_sms', kind: 'secondary', target })
  }
  if (mfa.totp !== undefined) {
    const { secret } = mfa.totp
    if (decodeBase32(secret) === undefined) {
      throw validationFailed([
        { location: '/mfa/totp/secret', kind: 'format', details: { format: 'base32' } },
      ])
    }
    const sealed = auth.secrets.seal(secret, totpSeal)
    const name = `TOTP @ ${new Date(now).toISOString()}`
    made.push({
      ...base,
      type: 'totp',
      kind: 'secondary',
      sealed_secret: sealed,
      display_name: name,
      last_step: null,
    })
  }
  return made
}
