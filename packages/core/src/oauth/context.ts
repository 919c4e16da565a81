import type { Clock } from '../time/clock.ts'
import type { CredentialSets } from './client.ts'
import type { OAuthEndpoints } from './endpoints.ts'
import type { JsonObject } from './json-object.ts'
import type { ProviderHttp } from './provider-http.ts'
import type { TimedCache } from './timed-cache.ts'

/** What asking providers needs. */
export interface OAuthContext {
  readonly clock: Clock
  readonly http: ProviderHttp
  /** Whether URLs of `http` are good too. */
  readonly allowHttp: boolean
  readonly sets: CredentialSets
  /** Endpoints by the alias of a provider, in place of those of its type. */
  readonly endpoints: ReadonlyMap<string, Partial<OAuthEndpoints>>
  /** Discovery documents and JWK Sets, by their URLs. */
  readonly documents: TimedCache<JsonObject>
}
