import { sha256Hex } from '../../crypto/crypto.ts'
import { equalBytes } from '../../crypto/crypto-secrets.ts'
import type { TypedRecord } from '../../storage/collection.ts'
import { canBeId } from '../../storage/storage-input.ts'
import type { Instant } from '../../time/clock.ts'
import { statusProblem } from '../accounts/account-status.ts'
import type { SessionRecord } from '../accounts/session-record.ts'
import { sessionCollection } from '../accounts/session-record.ts'
import { userCollection } from '../accounts/user-record.ts'
import type { AuthContext } from '../context.ts'
import { sessionExpiry, sessionIdOf } from '../flow/session/session.ts'

/**
 * The record of the session that a token proves; `undefined` if there is none, it has ended, or its user may not sign in. Does
 * not record the access.
 */
export async function findSession(
  auth: Pick<AuthContext, 'storage' | 'config'>,
  token: string,
  now: Instant,
): Promise<TypedRecord<SessionRecord> | undefined> {
  const id = sessionIdOf(token)
  const record = id === undefined ? undefined : await sessionCollection.get(auth.storage, id)
  if (record === undefined || !isSameText(record.value.token_hash, sha256Hex(token)))
    return undefined
  return stillValid(auth, record, now)
}

/** The record of a session that an ID token names; `undefined` if it has ended, or its user may not sign in. */
export async function findSessionById(
  auth: Pick<AuthContext, 'storage' | 'config'>,
  id: string,
  now: Instant,
): Promise<TypedRecord<SessionRecord> | undefined> {
  const record = canBeId(id) ? await sessionCollection.get(auth.storage, id) : undefined
  return record && stillValid(auth, record, now)
}

async function stillValid(
  { storage, config }: Pick<AuthContext, 'storage' | 'config'>,
  record: TypedRecord<SessionRecord>,
  now: Instant,
): Promise<TypedRecord<SessionRecord> | undefined> {
  if (sessionExpiry(record.value, config.current) <= now) return undefined
  const user = await userCollection.get(storage, record.value.user_id)
  const maySignIn = user !== undefined && statusProblem(user.value, now) === undefined
  return maySignIn ? record : undefined
}

function isSameText(one: string, other: string): boolean {
  return equalBytes(Buffer.from(one), Buffer.from(other))
}
