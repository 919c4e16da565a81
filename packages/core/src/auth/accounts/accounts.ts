import { sha256Hex } from '../../crypto/crypto.ts'
import type { TypedRecord } from '../../storage/collection.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Account, Identified } from './account.ts'
import { authenticatorCollection } from './authenticator-record.ts'
import type { ClaimName, IdentityRecord } from './identity-record.ts'
import { identityCollection, identityKeyCollection } from './identity-record.ts'
import { recoveryCodeCollection } from './recovery-code-record.ts'
import type { UserRecord } from './user-record.ts'
import { userCollection } from './user-record.ts'
import { verifiedClaimCollection } from './verified-claim-record.ts'

/** The limit on the records of each kind that a user can have. */
export const maxOfAKind = 1_000

const withId = <T extends object>({ id, value }: TypedRecord<T>): Identified<T> => ({
  ...value,
  id,
})

const byAge = (a: { readonly created_at: number }, b: { readonly created_at: number }): number =>
  a.created_at - b.created_at

type Belongings = Omit<Account, 'user'>

/** The account of a user; `undefined` if there is none. */
export async function loadAccount(storage: Storage, userId: string): Promise<Account | undefined> {
  const [user, belongings] = await Promise.all([
    userCollection.get(storage, userId),
    loadBelongings(storage, userId),
  ])
  return user && { user: withId(user), ...belongings }
}

/** An account read for a change. */
export interface StoredAccount {
  readonly account: Account
  /** The user's record, read before the rest: a write at this version fails if anything in the account has changed since. */
  readonly user: TypedRecord<UserRecord>
}

/** Reads the account of a user for a change; `undefined` if there is none. */
export async function loadToChange(
  storage: Storage,
  userId: string,
): Promise<StoredAccount | undefined> {
  const user = await userCollection.get(storage, userId)
  if (user === undefined) return undefined
  return { user, account: { user: withId(user), ...(await loadBelongings(storage, userId)) } }
}

async function loadBelongings(storage: Storage, userId: string): Promise<Belongings> {
  const ofUser = { by: 'user_id', equals: userId, limit: maxOfAKind } as const
  const [identities, authenticators, claims, codes] = await Promise.all([
    identityCollection.find(storage, ofUser),
    authenticatorCollection.find(storage, ofUser),
    verifiedClaimCollection.find(storage, ofUser),
    recoveryCodeCollection.find(storage, ofUser),
  ])
  return {
    identities: identities.map(withId).sort(byAge),
    authenticators: authenticators.map(withId).sort(byAge),
    verified_claims: claims.map(({ value }) => value),
    recovery_codes: codes.filter(({ value }) => value.consumed_at === null).length,
  }
}

/** The identity with a key. @see `identityKey` */
export async function findIdentity(
  storage: Storage,
  key: string,
): Promise<Identified<IdentityRecord> | undefined> {
  const owner = await identityKeyCollection.get(storage, key)
  // Read a record even if there is no owner, so that timing reveals nothing.
  const identity = await identityCollection.get(storage, owner?.value.identity_id ?? 'nobody')
  return owner && identity && withId(identity)
}

/** All identities that assert a claim. */
export async function findByClaim(
  storage: Storage,
  name: ClaimName,
  value: string,
): Promise<readonly Identified<IdentityRecord>[]> {
  const found = await identityCollection.find(storage, { by: name, equals: value, limit: 100 })
  return found.map(withId)
}

/** The id of the record that marks a user's claim as verified. */
export function verifiedClaimId(userId: string, name: string, value: string): string {
  return `${userId}:${name}:${sha256Hex(value)}`
}

/** The id of a recovery code's record, from the user and the code's MAC. */
export function recoveryCodeId(userId: string, hash: string): string {
  return `${userId}:${hash}`
}

interface Dated {
  readonly id: string
  readonly value: { readonly created_at: number }
}

/** Orders records newest first. Records of the same instant are ordered by id, since ids ascend. */
export function byNewest(a: Dated, b: Dated): number {
  return b.value.created_at - a.value.created_at || (a.id < b.id ? 1 : -1)
}
