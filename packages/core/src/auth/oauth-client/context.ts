import type { TimedCache } from '../../async/timed-cache.ts'
import type { CredentialSets } from './client.ts'
import type { OAuthEndpoints, ProviderSite } from './endpoints.ts'
import type { SiteAccess } from './site-access.ts'

/** The dependencies of requests to providers. */
export interface OAuthContext extends SiteAccess {
  readonly sets: CredentialSets
  /** Endpoints by the alias of a provider, in place of those of its type. */
  readonly endpoints: ReadonlyMap<string, Partial<OAuthEndpoints>>
  readonly sites: TimedCache<ProviderSite>
}
