import { type ApiKeyRecord, ownerOf } from '../../accounts/api-key-record.ts'
import type { LoadedAuthConfig } from '../../config/config.ts'

/** An API key without its secret. Instants are in ms since the Unix epoch. */
export interface ApiKey extends Omit<ApiKeyRecord, 'owner' | 'digest'> {
  /** The first part of the key itself, after `gatehouse_`. */
  readonly id: string
  /** The user whose key it is; `null` for one of a service. */
  readonly user_id: string | null
  /** The service whose key it is; `null` for one of a user. */
  readonly service: string | null
}

/** The sender of a request with an API key, where a route takes them beside sessions. */
export interface ApiKeySession extends ApiKey {
  readonly kind: 'api_key'
}

/** A key as it is shown. Scopes that the configuration no longer has are gone. */
export function toApiKey(
  id: string,
  { digest: _digest, owner, ...record }: ApiKeyRecord,
  { api_keys: section }: LoadedAuthConfig,
): ApiKey {
  const scopes = record.scopes.filter((scope) => section?.scopes.includes(scope))
  return { id, ...ownerOf({ owner }), ...record, scopes }
}
