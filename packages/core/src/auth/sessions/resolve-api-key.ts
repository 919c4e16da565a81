import { sha256Hex } from '../../crypto/crypto.ts'
import { equalBytes } from '../../crypto/crypto-secrets.ts'
import { isGatehouseError } from '../../errors.ts'
import { plainAddress } from '../../http/ip-address.ts'
import type { TypedRecord } from '../../storage/collection.ts'
import { statusProblem } from '../accounts/account-status.ts'
import { type ApiKeyRecord, apiKeyCollection, ownerOf } from '../accounts/api-key-record.ts'
import { userCollection } from '../accounts/user-record.ts'
import type { AuthContext } from '../context.ts'
import { authError } from '../errors.ts'
import { type ApiKeySession, toApiKey } from '../flow/session/api-key.ts'
import { accessNotedEveryMs } from '../flow/session/session.ts'
import { clientNetwork } from '../limits/client-network.ts'
import { rateLimited, takeTokens } from '../limits/rate-limit.ts'
import { apiKeyIdOf } from '../secrets/api-key.ts'

/**
 * The key of a request; `undefined` if it is wrong, has expired, or its user may not sign in. Notes the use, at most once a minute.
 *
 * @throws {GatehouseError} `RateLimited` for a wrong key from an address that has sent many. Right ones are not held up: a program
 *   with an old key must not stop its neighbours.
 */
export async function resolveApiKey(
  auth: AuthContext,
  key: string,
  ip: string | null,
): Promise<ApiKeySession | undefined> {
  const config = auth.config.current
  if (config.api_keys === undefined) return undefined
  const record = await findApiKey(auth, key)
  auth.counters.apiKeyChecked(record === undefined ? 'refused' : 'accepted')
  if (record === undefined) {
    await countWrongKey(auth, ip)
    return undefined
  }
  const used = await noteUse(auth, record, ip)
  return { kind: 'api_key', ...toApiKey(record.id, used, config) }
}

/** @throws {GatehouseError} `InsufficientScope` if the key lacks one of the scopes. */
export function checkScopes({ scopes }: ApiKeySession, needed: readonly string[]): void {
  const missing = needed.filter((scope) => !scopes.includes(scope))
  if (missing.length === 0) return
  throw authError('Forbidden', 'InsufficientScope', 'the API key lacks a scope', { missing })
}

async function findApiKey(
  { storage, clock }: AuthContext,
  key: string,
): Promise<TypedRecord<ApiKeyRecord> | undefined> {
  const id = apiKeyIdOf(key)
  const record = id === undefined ? undefined : await apiKeyCollection.get(storage, id)
  if (record === undefined) return undefined
  const { digest, expires_at: expiresAt } = record.value
  if (!equalBytes(Buffer.from(digest), Buffer.from(sha256Hex(key)))) return undefined
  const now = clock.now()
  if (expiresAt !== null && expiresAt <= now) return undefined
  const { user_id: userId } = ownerOf(record.value)
  if (userId === null) return record
  const user = await userCollection.get(storage, userId)
  return user !== undefined && statusProblem(user.value, now) === undefined ? record : undefined
}

async function countWrongKey(auth: AuthContext, ip: string | null): Promise<void> {
  const limit = auth.config.current.api_keys?.rate_limits.wrong_per_ip
  if (limit === undefined || !limit.enabled) return
  const { period_ms, burst } = limit
  const use = { bucket: 'WrongApiKeyPerIP', subject: [clientNetwork(ip ?? '')], period_ms, burst }
  const taken = await takeTokens(auth, [use])
  if (taken.ok) return
  auth.counters.limitHit(use.bucket)
  throw rateLimited(use, taken.waitMs)
}

async function noteUse(
  { storage, clock }: AuthContext,
  { id, value, version }: TypedRecord<ApiKeyRecord>,
  ip: string | null,
): Promise<ApiKeyRecord> {
  const now = clock.now()
  if (value.last_used_at !== null && now - value.last_used_at < accessNotedEveryMs) return value
  const last_used_ip = ip === null ? value.last_used_ip : plainAddress(ip)
  const noted = { ...value, last_used_at: now, last_used_ip }
  try {
    await storage.commit([apiKeyCollection.write(id, noted, { if: version, ...endOf(noted) })])
  } catch (error) {
    // Another request has noted its use, or the key was revoked meanwhile; the next request will see that.
    if (!isGatehouseError(error) || error.kind !== 'Conflict') throw error
  }
  return noted
}

/** When the record of a key goes. */
export const endOf = ({
  expires_at: expiresAt,
}: Pick<ApiKeyRecord, 'expires_at'>): { readonly expiresAt?: number } =>
  expiresAt === null ? {} : { expiresAt }
