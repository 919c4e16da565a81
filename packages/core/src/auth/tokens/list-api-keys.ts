import { decodeInput, exactly, rawText } from '../../input/decode.ts'
import { retryOnConflict } from '../../storage/storage.ts'
import { canBeId } from '../../storage/storage-input.ts'
import {
  type ApiKeyOwner,
  apiKeyCollection,
  findApiKeys,
  ownerOf,
  ownersOfServices,
} from '../accounts/api-key-record.ts'
import {
  type ListPage,
  type ListQuery,
  listQueryFields,
  pageOf,
  placeOf,
} from '../accounts/list-place.ts'
import type { AuthContext } from '../context.ts'
import { authError } from '../errors.ts'
import type { AuthEvent } from '../events/auth-event.ts'
import { apiKeyPayload } from '../events/event-records.ts'
import { commitWithEvents, hostEvent } from '../events/outbox.ts'
import { type ApiKey, toApiKey } from '../flow/session/api-key.ts'
import { apiKeyOwner } from './create-api-key.ts'

/**
 * The API keys of a user or a service that have not expired, newest first, without their secrets.
 *
 * @throws {GatehouseError} `InvalidInput`
 */
export async function listApiKeys(
  auth: AuthContext,
  owner: ApiKeyOwner,
): Promise<readonly ApiKey[]> {
  const found = await findApiKeys(auth.storage, decodeInput('owner', apiKeyOwner, owner))
  return found
    .map(({ id, value }) => toApiKey(id, value, auth.config.current))
    .sort((a, b) => b.created_at - a.created_at)
}

/** The API keys of services to list. */
export type ServiceApiKeysQuery = ListQuery

/** A page of API keys. */
export type ApiKeyPage = ListPage<ApiKey>

const decodeQuery = exactly<ServiceApiKeysQuery>(listQueryFields)

/**
 * The API keys of all services that have not expired, by the names of the services, without their secrets.
 *
 * @throws {GatehouseError} `InvalidInput`
 */
export async function listServiceApiKeys(
  auth: AuthContext,
  query: ServiceApiKeysQuery = {},
): Promise<ApiKeyPage> {
  const { limit = 100, after } = decodeInput('query', decodeQuery, query)
  const found = await apiKeyCollection.find(auth.storage, {
    by: 'owner',
    ...ownersOfServices,
    limit,
    ...(after === undefined ? {} : { after: placeOf(after, 'string') }),
  })
  const items = found.map(({ id, value }) => toApiKey(id, value, auth.config.current))
  return pageOf(items, { found, limit, keyOf: ({ value }) => value.owner })
}

/**
 * Ends an API key at once.
 *
 * @throws {GatehouseError} `ApiKeyNotFound`
 */
export async function revokeApiKey(auth: AuthContext, keyId: string): Promise<void> {
  const id = decodeInput('id', rawText, keyId)
  await endApiKey(auth, id, {
    isOf: () => true,
    eventOf: (payload, userId) => hostEvent(auth, 'api_key.revoked', payload, userId),
  })
}

/** The key to end: whose it has to be, and the event that tells of it. */
export interface EndedApiKey {
  readonly isOf: (owner: string) => boolean
  readonly eventOf: (payload: AuthEvent['payload'], userId: string | null) => AuthEvent
}

/** {@link revokeApiKey} for a key of certain owners. Of two calls at once, one ends the key. */
export function endApiKey(
  auth: AuthContext,
  id: string,
  { isOf, eventOf }: EndedApiKey,
): Promise<void> {
  return retryOnConflict(async () => {
    const stored = canBeId(id) ? await apiKeyCollection.get(auth.storage, id) : undefined
    if (stored === undefined || !isOf(stored.value.owner)) {
      throw authError('NotFound', 'ApiKeyNotFound', 'API key not found')
    }
    const event = eventOf(apiKeyPayload(id, stored.value), ownerOf(stored.value).user_id)
    await commitWithEvents(auth, [apiKeyCollection.remove(id, stored.version)], [event])
  })
}
