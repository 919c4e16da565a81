import type { TimedCache } from '../../async/timed-cache.ts'
import type { Clock } from '../../time/clock.ts'
import type { CredentialSets } from './client.ts'
import type { OAuthEndpoints, ProviderSite } from './endpoints.ts'
import type { ProviderHttp } from './http/provider-http.ts'

/** The dependencies of requests to providers. */
export interface OAuthContext {
  readonly clock: Clock
  readonly http: ProviderHttp
  /** Whether `http` URLs are allowed too. */
  readonly allowHttp: boolean
  readonly sets: CredentialSets
  /** Endpoints by the alias of a provider, in place of those of its type. */
  readonly endpoints: ReadonlyMap<string, Partial<OAuthEndpoints>>
  readonly sites: TimedCache<ProviderSite>
  /** Gets a key set, like `fetch`. */
  readonly fetchKeys: (url: string) => Promise<Response>
}
