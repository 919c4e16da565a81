import { type GatehouseError, isGatehouseError } from '../../errors.ts'
import { decodeInput, listOf } from '../../input/decode.ts'
import type { Write } from '../../storage/storage.ts'
import type { Identified } from '../accounts/account.ts'
import { recoveryCodeId, verifiedClaimId } from '../accounts/accounts.ts'
import { attributeWrites } from '../accounts/attribute-index.ts'
import type { AuthenticatorRecord } from '../accounts/authenticator-record.ts'
import { authenticatorCollection } from '../accounts/authenticator-record.ts'
import { claimOfLoginId, identityKey } from '../accounts/identities.ts'
import type { IdentityRecord } from '../accounts/identity-record.ts'
import { identityCollection, identityKeyCollection } from '../accounts/identity-record.ts'
import { recoveryCodeCollection } from '../accounts/recovery-code-record.ts'
import type { Attributes, UserRecord } from '../accounts/user-record.ts'
import { userCollection } from '../accounts/user-record.ts'
import { verifiedClaimCollection } from '../accounts/verified-claim-record.ts'
import type { AuthContext } from '../context.ts'
import { authenticatorTaken, invariantViolated, validationFailed } from '../errors.ts'
import { eventIdentity, eventUser } from '../events/event-records.ts'
import { commitWithEvents, hostEvent } from '../events/outbox.ts'
import { blankUser } from '../flow/account.ts'
import { initialAttributes } from '../flows/finish/population.ts'
import { historyWrites } from '../kinds/password/password-writes.ts'
import { recoveryCodeMac } from '../kinds/recovery-code/recovery-code-answers.ts'
import { claimGuardsOf } from '../linking/claim-guards.ts'
import { readCodes } from './add-recovery-codes.ts'
import { type ImportedAbout, importedAuthenticators } from './imported-authenticators.ts'
import { type DecodedUser, type ImportedUser, importedRecord, problemsOf } from './imported-user.ts'
import { type ImportedIdentity, type ReadIdentity, readIdentity } from './read-identity.ts'

/** The outcome of a record. */
export type ImportOutcome =
  | { readonly outcome: 'inserted'; readonly user_id: string }
  | { readonly outcome: 'failed'; readonly error: GatehouseError }

/** Each record is decoded separately, so that it fails alone. */
const unread = (value: unknown): unknown => value

/**
 * Imports users from another system, each in one commit. A record that is invalid, or whose login ID is taken, fails alone.
 * Passwords are given as hashes of bcrypt, scrypt, Argon2 or PBKDF2.
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
 * @throws {GatehouseError} `ValidationFailed`; `InvariantViolated` if a login ID, a passkey or the id is taken.
 */
export async function storeNewUser(auth: AuthContext, given: DecodedUser): Promise<string> {
  const { clock, ids } = auth
  const now = clock.now()
  const { id: userId = ids.random(), password } = given
  const about = { userId, now, createdAt: given.created_at ?? now }
  const read = readIdentities(auth, given, about)
  if (read.length === 0) {
    const details = { actual: Object.keys(given).sort(), expected: ['email'], missing: ['email'] }
    throw validationFailed([{ location: '', kind: 'required', details }])
  }
  const identities = read.map(({ record }) => record)
  const { id: _id, ...user } = { ...blankUser(userId, about.createdAt), ...settingsOf(given) }
  const record = {
    ...user,
    standard_attributes: {
      ...initialAttributes(identities),
      ...claimsOf(identities),
      ...given.standard_attributes,
    },
  }
  const authenticators = importedAuthenticators(auth, given, about)
  const payload = {
    user: eventUser({ ...record, id: userId }),
    identities: identities.map(eventIdentity),
  }
  const event = hostEvent(auth, 'user.created', payload, userId)
  await checkFree(auth, userId, authenticators)
  const writes: Write[] = [
    userCollection.write(userId, record, { if: 'absent' }),
    ...attributeWrites(userId, undefined, record),
    ...(await identityWrites(auth, identities)),
    ...uniqueWrites(identities.flatMap((identity) => claimGuardsOf(identity, now))),
    ...uniqueWrites(read.flatMap((one) => verifiedClaims(one, about))),
    ...authenticators.map(({ id, ...one }) =>
      authenticatorCollection.write(id, one as AuthenticatorRecord, { if: 'absent' }),
    ),
    ...recoveryCodesOf(auth, given, about),
    ...(password === undefined
      ? []
      : await historyWrites({ auth }, userId, password.password_hash, password.set_at ?? now)),
  ]
  try {
    await commitWithEvents(auth, writes, [event])
  } catch (error) {
    if (isGatehouseError(error) && error.kind === 'Conflict') throw identityTaken()
    throw error
  }
  return userId
}

/** The addresses and the name that the user logs in with, the first of each kind. */
function claimsOf(identities: readonly IdentityRecord[]): Attributes {
  const claims = identities.flatMap((one): [string, string][] =>
    one.type === 'login_id' ? [[claimOfLoginId[one.login_id_type], one.normalized]] : [],
  )
  return Object.fromEntries(claims.reverse())
}

/** Refuses an id or a passkey that exists. */
async function checkFree(
  { storage }: AuthContext,
  userId: string,
  authenticators: readonly { readonly id: string; readonly type: string }[],
): Promise<void> {
  const passkeys = authenticators.flatMap(({ id, type }) => (type === 'passkey' ? [id] : []))
  const [user, known] = await Promise.all([
    userCollection.get(storage, userId),
    passkeys.length === 0 ? [] : storage.get(authenticatorCollection, passkeys),
  ])
  if (user !== undefined) throw invariantViolated('DuplicatedUser', 'a user has this id already')
  if (known.some((one) => one !== undefined)) throw authenticatorTaken()
}

const identityTaken = (): GatehouseError =>
  invariantViolated('DuplicatedIdentity', 'identity already exists')

/** Login IDs are not checked against block lists, because the users already exist. */
function readIdentities(
  auth: AuthContext,
  given: DecodedUser,
  { userId, createdAt }: ImportedAbout,
): readonly ReadIdentity[] {
  const { email, phone_number: phone, preferred_username: username, identities = [] } = given
  const named: readonly (readonly [ImportedIdentity, string] | undefined)[] = [
    email === undefined
      ? undefined
      : [{ type: 'email', value: email, verified: given.email_verified ?? false }, '/email'],
    phone === undefined
      ? undefined
      : [
          { type: 'phone', value: phone, verified: given.phone_number_verified ?? false },
          '/phone_number',
        ],
    username === undefined
      ? undefined
      : [{ type: 'username', value: username }, '/preferred_username'],
    ...identities.map((one, index) => [one, `/identities/${index}/value`] as const),
  ]
  return named.flatMap((one) => {
    if (one === undefined) return []
    const about = { id: auth.ids.random(), user_id: userId, created_at: createdAt }
    const [identity, location] = one
    const account = { identities: [] }
    return [readIdentity(auth, { given: identity, about, account, location }, { force: true })]
  })
}

async function identityWrites(
  { storage }: AuthContext,
  identities: readonly Identified<IdentityRecord>[],
): Promise<readonly Write[]> {
  const keys = identities.map(identityKey)
  if (new Set(keys).size < keys.length) throw identityTaken()
  const taken = await storage.get(identityKeyCollection, keys)
  if (taken.some((one) => one !== undefined)) throw identityTaken()
  return identities.flatMap(({ id, ...record }) => [
    identityKeyCollection.write(
      identityKey(record),
      { user_id: record.user_id, identity_id: id },
      { if: 'absent' },
    ),
    identityCollection.write(
      id,
      record.type === 'login_id' ? { ...record, is_unproven: false } : record,
      { if: 'absent' },
    ),
  ])
}

/** Two identities may assert one claim, and a commit takes one write of a record. */
const uniqueWrites = (writes: readonly Write[]): readonly Write[] => [
  ...new Map(writes.map((write) => [write.id, write])).values(),
]

function settingsOf(given: DecodedUser): Partial<UserRecord> {
  return {
    last_login_at: given.last_login_at ?? null,
    is_disabled: given.disabled ?? false,
    disable_reason: given.disable_reason ?? null,
    account_valid_from: given.account_valid_from ?? null,
    account_valid_until: given.account_valid_until ?? null,
    custom_attributes: given.custom_attributes ?? {},
  }
}

function verifiedClaims(
  { incoming, record }: ReadIdentity,
  { userId, now }: ImportedAbout,
): readonly Write[] {
  return incoming.verified.flatMap((name) => {
    const value = record[name]
    if (value === undefined) return []
    const claim = { user_id: userId, name, value, channel: null, created_at: now }
    return [verifiedClaimCollection.write(verifiedClaimId(userId, name, value), claim)]
  })
}

function recoveryCodesOf(
  { secrets }: AuthContext,
  { mfa }: DecodedUser,
  { userId, createdAt }: ImportedAbout,
): readonly Write[] {
  const record = {
    user_id: userId,
    created_at: createdAt,
    consumed_at: null,
    reserved_by: null,
    reserved_until: null,
  }
  return readCodes(mfa?.recovery_codes ?? [], '/mfa/recovery_codes').map((code) => {
    const id = recoveryCodeId(userId, secrets.mac(recoveryCodeMac, code))
    return recoveryCodeCollection.write(id, record)
  })
}
