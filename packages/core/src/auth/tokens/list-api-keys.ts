import { decodeInput, rawText } from '../../input/decode.ts'
import { retryOnConflict } from '../../storage/storage.ts'
import { canBeId } from '../../storage/storage-input.ts'
import {
  type ApiKeyOwner,
  apiKeyCollection,
  maxApiKeysPerOwner,
  ownerOf,
  ownerText,
} from '../accounts/api-key-record.ts'
import type { AuthContext } from '../context.ts'
import { authError } from '../errors.ts'
import type { AuthEvent } from '../events/auth-event.ts'
import { commitWithEvents, hostEvent } from '../events/outbox.ts'
import { type ApiKey, toApiKey } from '../flow/session/api-key.ts'
import { apiKeyOwner, apiKeyPayload } from './create-api-key.ts'

/**
 * The API keys of a user or a service that have not expired, newest first, without their secrets.
 *
 * @throws {GatehouseError} `InvalidInput`
 */
export async function listApiKeys(
  auth: AuthContext,
  owner: ApiKeyOwner,
): Promise<readonly ApiKey[]> {
  const found = await apiKeyCollection.find(auth.storage, {
    by: 'owner',
    equals: ownerText(decodeInput('owner', apiKeyOwner, owner)),
    limit: maxApiKeysPerOwner,
  })
  return found
    .map(({ id, value }) => toApiKey(id, value, auth.config.current))
    .sort((a, b) => b.created_at - a.created_at)
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
    const { user_id, service } = ownerOf(stored.value)
    const owner = user_id === null ? { service: service ?? '' } : { user_id }
    const event = eventOf(apiKeyPayload(id, stored.value, owner), user_id)
    await commitWithEvents(auth, [apiKeyCollection.remove(id, stored.version)], [event])
  })
}
