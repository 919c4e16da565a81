import { sha256Hex } from '../../crypto/crypto.ts'
import type { TypedRecord } from '../../storage/collection.ts'
import type { Storage } from '../../storage/storage.ts'
import {
  authenticatorCollection,
  identityCollection,
  identityKeyCollection,
  recoveryCodeCollection,
  userCollection,
  verifiedClaimCollection,
} from '../collections.ts'
import type { Account, ClaimName, Identified, IdentityRecord, UserRecord } from './records.ts'

/** Of one kind of thing a user has at most so many. */
export const mostOfAKind = 1_000

const withId = <T extends object>({ id, value }: TypedRecord<T>): Identified<T> => ({
  ...value,
  id,
})

const byAge = (a: { readonly created_at: number }, b: { readonly created_at: number }): number =>
  a.created_at - b.created_at

type Belongings = Omit<Account, 'user'>

/** All about a user; `undefined` if there is none. */
export async function loadAccount(storage: Storage, userId: string): Promise<Account | undefined> {
  const [user, belongings] = await Promise.all([
    userCollection.get(storage, userId),
    loadBelongings(storage, userId),
  ])
  return user && { user: withId(user), ...belongings }
}

/** An account that is about to be changed. */
export interface StoredAccount {
  readonly account: Account
  /** The user's record, which was read before the rest: who writes it at this version notices a change of the rest meanwhile. */
  readonly user: TypedRecord<UserRecord>
}

/** All about a user, for who changes something of it; `undefined` if there is none. */
export async function loadToChange(
  storage: Storage,
  userId: string,
): Promise<StoredAccount | undefined> {
  const user = await userCollection.get(storage, userId)
  if (user === undefined) return undefined
  return { user, account: { user: withId(user), ...(await loadBelongings(storage, userId)) } }
}

async function loadBelongings(storage: Storage, userId: string): Promise<Belongings> {
  const ofUser = { by: 'user_id', equals: userId, limit: mostOfAKind } as const
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

/** The identity of a key. @see `identityKey` */
export async function findIdentity(
  storage: Storage,
  key: string,
): Promise<Identified<IdentityRecord> | undefined> {
  const owner = await identityKeyCollection.get(storage, key)
  // Where there is none it is looked for all the same, so that it takes as long.
  const identity = await identityCollection.get(storage, owner?.value.identity_id ?? 'nobody')
  return owner && identity && withId(identity)
}

/** Every identity that asserts a claim. */
export async function findByClaim(
  storage: Storage,
  name: ClaimName,
  value: string,
): Promise<readonly Identified<IdentityRecord>[]> {
  const found = await identityCollection.find(storage, { by: name, equals: value, limit: 100 })
  return found.map(withId)
}

/** The id of what says that a claim of a user is verified. */
export function verifiedClaimId(userId: string, name: string, value: string): string {
  return `${userId}:${name}:${sha256Hex(value)}`
}

/** The record of a recovery code, by whose it is and its MAC. */
export function recoveryCodeId(userId: string, hash: string): string {
  return `${userId}:${hash}`
}

interface Dated {
  readonly id: string
  readonly value: { readonly created_at: number }
}

/** Orders records the newest first; of those made at one instant the ids tell, which are made in order. */
export function byNewest(a: Dated, b: Dated): number {
  return b.value.created_at - a.value.created_at || (a.id < b.id ? 1 : -1)
}
