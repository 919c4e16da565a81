import { decodeInput, objectOf, rawText } from '../../input/decode.ts'
import { invalidInput } from '../../input/refusal.ts'
import { ownerText } from '../accounts/api-key-record.ts'
import type { AuthContext } from '../context.ts'
import { authError } from '../errors.ts'
import type { ApiKey } from '../flow/session/api-key.ts'
import type { Session } from '../flow/session/session.ts'
import type { RequestContext } from '../flows/flow-result.ts'
import { requestContext, requestFields } from '../flows/operation-input.ts'
import { sessionInput } from '../sessions/session-input.ts'
import {
  apiKeyDetails,
  apiKeysConfig,
  type CreatedApiKey,
  makeApiKey,
  type NewApiKey,
} from '../tokens/create-api-key.ts'
import { endApiKey, listApiKeys } from '../tokens/list-api-keys.ts'
import { accountEvents } from './account-holder.ts'
import { freshFields } from './account-input.ts'
import { checkFresh, checkOwn, type FreshOptions } from './fresh.ts'

/** A person's own API keys, and the scopes that new ones may have. */
export interface OwnApiKeys {
  readonly items: readonly ApiKey[]
  /** Empty if people make no keys. */
  readonly scopes: readonly string[]
  /** After how many days a new key expires at the latest; `null` for never. */
  readonly max_lifetime_days: number | null
}

/** Lists the API keys of a session's user, newest first. @throws {GatehouseError} `ApiKeysDisabled` */
export async function listOwnApiKeys(auth: AuthContext, of: Session): Promise<OwnApiKeys> {
  const { user_id } = decodeInput('session', sessionInput, of)
  const { own_scopes: scopes, max_lifetime_days: days } = apiKeysConfig(auth)
  return { items: await listApiKeys(auth, { user_id }), scopes, max_lifetime_days: days ?? null }
}

/** Options of {@link createOwnApiKey}: how recent the authentication must be, and the request. */
export interface OwnApiKeyOptions extends RequestContext, FreshOptions {}

const decodeOptions = objectOf<OwnApiKeyOptions>({ ...requestFields, ...freshFields })

/**
 * Creates an API key of a session's user, with scopes that the configuration lets people give.
 *
 * @throws {GatehouseError} `InvalidInput`; `ApiKeysDisabled`; `ReauthenticationRequired`; `ApiKeyLimitReached`
 */
export async function createOwnApiKey(
  auth: AuthContext,
  of: Session,
  given: NewApiKey,
  how: OwnApiKeyOptions = {},
): Promise<CreatedApiKey> {
  const session = decodeInput('session', sessionInput, of)
  const details = decodeInput('apiKey', apiKeyDetails, given)
  const options = decodeInput('options', decodeOptions, how)
  const { own_scopes: allowed } = apiKeysConfig(auth)
  if (allowed.length === 0) {
    throw authError('Forbidden', 'ApiKeysDisabled', 'people make no API keys of their own here')
  }
  checkFresh(auth, session, options)
  if (details.scopes.some((scope) => !allowed.includes(scope))) {
    throw invalidInput('apiKey.scopes', 'scopes that people may give', 'another one')
  }
  const eventOf = accountEvents(auth, session, { ...options, name: 'create_api_key' })
  return makeApiKey(
    auth,
    { user_id: session.user_id },
    {
      details,
      sessionId: session.id,
      eventOf: (payload) => eventOf('api_key.created', payload),
    },
  )
}

/**
 * Ends an API key of a session's user at once.
 *
 * @throws {GatehouseError} `ApiKeyNotFound`, also for one of another user.
 */
export async function revokeOwnApiKey(
  auth: AuthContext,
  of: Session,
  keyId: string,
  given: RequestContext = {},
): Promise<void> {
  const session = decodeInput('session', sessionInput, of)
  const id = decodeInput('id', rawText, keyId)
  const context = decodeInput('context', requestContext, given)
  checkOwn(session)
  const own = ownerText({ user_id: session.user_id })
  const eventOf = accountEvents(auth, session, { ...context, name: 'revoke_api_key' })
  await endApiKey(auth, id, {
    isOf: (owner) => owner === own,
    eventOf: (payload) => eventOf('api_key.revoked', payload),
  })
}
