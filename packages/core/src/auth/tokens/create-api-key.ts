import { sha256Hex } from '../../crypto/crypto.ts'
import {
  type Decode,
  decodeInput,
  exactly,
  lineOfText,
  listOf,
  nullable,
  optional,
  rawText,
} from '../../input/decode.ts'
import { type InstantInput, instant } from '../../input/instant.ts'
import { invalidInput, refuse, refuseShown } from '../../input/refusal.ts'
import { retryOnConflict, type Write } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import { statusProblem } from '../accounts/account-status.ts'
import {
  type ApiKeyOwner,
  type ApiKeyRecord,
  apiKeyCollection,
  apiKeyGuardCollection,
  findApiKeys,
  ownerText,
} from '../accounts/api-key-record.ts'
import { userCollection, userGuard } from '../accounts/user-record.ts'
import type { ApiKeysConfig } from '../config/config.ts'
import type { AuthContext } from '../context.ts'
import { authError, userNotFound } from '../errors.ts'
import type { AuthEvent } from '../events/auth-event.ts'
import { apiKeyPayload } from '../events/event-records.ts'
import { commitWithEvents, hostEvent } from '../events/outbox.ts'
import { type ApiKey, toApiKey } from '../flow/session/api-key.ts'
import { createApiKeyText } from '../secrets/api-key.ts'
import { endOf } from '../sessions/resolve-api-key.ts'
import { sessionCheck } from '../sessions/session-guard.ts'

/** What a new key is for. */
export interface NewApiKey {
  /** For people, to find the key again: 1 to 100 characters. */
  readonly name: string
  /** What it may be used for: one or more of `api_keys.scopes` of the configuration. */
  readonly scopes: readonly string[]
  /** Default: never, unless `api_keys.max_lifetime_days` of the configuration says otherwise. */
  readonly expires_at?: InstantInput | null
}

/** A new key of a user or of a service. */
export type OwnedApiKey = NewApiKey & ApiKeyOwner

/** A key that was made. */
export interface CreatedApiKey {
  /** The key itself. It is not stored, so it can be read only here. */
  readonly key: string
  readonly api_key: ApiKey
}

const maxNameLength = 100
const maxScopes = 100

const serviceName: Decode<string> = (value) =>
  /^[\w.-]{1,64}$/.test(rawText(value))
    ? rawText(value)
    : refuseShown('1 to 64 letters, digits, "_", "." and "-"', value)

/** {@link NewApiKey}, decoded. */
export interface ApiKeyDetails extends Omit<NewApiKey, 'expires_at'> {
  readonly expires_at?: Instant | null
}

const detailFields = {
  name: lineOfText(maxNameLength),
  scopes: listOf(rawText),
  expires_at: optional(nullable(instant)),
}

/** Decodes what a new key is for. */
export const apiKeyDetails: Decode<ApiKeyDetails> = exactly<ApiKeyDetails>(detailFields)

const ownedDetails = exactly<ApiKeyDetails & { user_id?: string; service?: string }>({
  ...detailFields,
  user_id: optional(rawText),
  service: optional(serviceName),
})

/** Whose keys are meant. */
export const apiKeyOwner: Decode<ApiKeyOwner> = (value) => {
  const { user_id, service } = exactly<{ user_id?: string; service?: string }>({
    user_id: optional(rawText),
    service: optional(serviceName),
  })(value)
  if (user_id !== undefined && service === undefined) return { user_id }
  if (service !== undefined && user_id === undefined) return { service }
  return refuse('either a user or a service', value)
}

/**
 * Creates an API key of a user or a service. The answer has the key itself, which cannot be read again.
 *
 * @throws {GatehouseError} `InvalidInput`; `ApiKeysDisabled` without the section `api_keys`; `ApiKeyLimitReached`; `UserNotFound`;
 *   `DisabledUser` and the like.
 * @example
 * const { key } = await createApiKey(auth, { service: 'billing', name: 'nightly export', scopes: ['orders:read'] })
 */
export async function createApiKey(auth: AuthContext, given: OwnedApiKey): Promise<CreatedApiKey> {
  const { user_id, service, ...details } = decodeInput('apiKey', ownedDetails, given)
  const owner = decodeInput('apiKey', apiKeyOwner, { user_id, service })
  const userId = owner.user_id ?? null
  return makeApiKey(auth, owner, {
    details,
    eventOf: (payload) => hostEvent(auth, 'api_key.created', payload, userId),
  })
}

/** A key to make, and the event that tells of it. */
export interface ApiKeyRequest {
  readonly details: ApiKeyDetails
  /** The session of a person who makes it (default: the host does). */
  readonly sessionId?: string
  readonly eventOf: (payload: AuthEvent['payload']) => AuthEvent
}

/** {@link createApiKey} for a decoded request. */
export async function makeApiKey(
  auth: AuthContext,
  owner: ApiKeyOwner,
  { details, eventOf, sessionId }: ApiKeyRequest,
): Promise<CreatedApiKey> {
  const config = auth.config.current
  const section = apiKeysConfig(auth)
  const { id, key } = createApiKeyText(auth.random)
  const now = auth.clock.now()
  const record: ApiKeyRecord = {
    owner: ownerText(owner),
    name: details.name,
    digest: sha256Hex(key),
    scopes: checkedScopes(section, details.scopes),
    created_at: now,
    expires_at: checkedEnd(section, details.expires_at ?? null, now),
    last_used_at: null,
    last_used_ip: null,
  }
  const event = eventOf(apiKeyPayload(id, record))
  await retryOnConflict(async () => {
    const guarded = await guardWrites(auth, owner, section.max_per_owner)
    const session = sessionId === undefined ? [] : [await neededSession(auth, sessionId)]
    const write = apiKeyCollection.write(id, record, { if: 'absent', ...endOf(record) })
    await commitWithEvents(auth, [...guarded, ...session, write], [event])
  })
  return { key, api_key: toApiKey(id, record, config) }
}

/** A session that has ended since the request came leaves no key behind. @throws {GatehouseError} `NotAuthenticated` */
async function neededSession(auth: AuthContext, id: string): Promise<Write> {
  const check = await sessionCheck(auth, id)
  if (check === undefined) throw authError('Unauthorized', 'NotAuthenticated', 'sign in first')
  return check
}

/** @throws {GatehouseError} `ApiKeysDisabled` */
export function apiKeysConfig({ config }: Pick<AuthContext, 'config'>): ApiKeysConfig {
  const { api_keys: section } = config.current
  if (section !== undefined) return section
  throw authError('NotFound', 'ApiKeysDisabled', 'the configuration has no section "api_keys"')
}

function checkedScopes(
  { scopes: known }: ApiKeysConfig,
  scopes: readonly string[],
): readonly string[] {
  const place = 'apiKey.scopes'
  if (scopes.length === 0 || scopes.length > maxScopes) {
    throw invalidInput(place, `1 to ${maxScopes} scopes`, `${scopes.length}`)
  }
  const unknown = scopes.find((scope) => !known.includes(scope))
  if (unknown === undefined) return [...new Set(scopes)].sort()
  const shown = JSON.stringify(unknown.slice(0, 100))
  throw invalidInput(place, 'scopes of "api_keys" in the configuration', shown)
}

const dayMs = 86_400_000

function checkedEnd(
  { max_lifetime_days: days }: ApiKeysConfig,
  end: Instant | null,
  now: Instant,
): Instant | null {
  const place = 'apiKey.expires_at'
  if (end !== null && end <= now) throw invalidInput(place, 'an instant to come', 'a past one')
  if (days === undefined) return end
  const latest = now + days * dayMs
  if (end !== null && end > latest) {
    throw invalidInput(place, `an instant within ${days} days`, 'a later one')
  }
  return end ?? latest
}

/** Longer than any process takes from counting the keys to its commit. */
const guardLifeMs = 3_600_000

/**
 * The writes by which of two new keys at the limit one fails and counts again, and by which none is made for a user who is being
 * deleted or disabled.
 */
async function guardWrites(
  auth: AuthContext,
  owner: ApiKeyOwner,
  most: number,
): Promise<readonly Write[]> {
  const { storage, clock } = auth
  const id = sha256Hex(ownerText(owner))
  const guard = await apiKeyGuardCollection.get(storage, id)
  const [kept, user] = await Promise.all([
    findApiKeys(storage, owner),
    owner.user_id === undefined ? undefined : userCollection.get(storage, owner.user_id),
  ])
  if (owner.user_id !== undefined && user === undefined) throw userNotFound({})
  const problem = user && statusProblem(user.value, clock.now())
  if (problem !== undefined) throw problem
  if (kept.length >= most) {
    const message = `there are ${most} API keys already: revoke one first`
    throw authError('Forbidden', 'ApiKeyLimitReached', message)
  }
  const expiresAt = clock.now() + guardLifeMs
  return [
    apiKeyGuardCollection.write(id, {}, { if: guard?.version ?? 'absent', expiresAt }),
    ...(user === undefined ? [] : [userGuard(user)]),
  ]
}
