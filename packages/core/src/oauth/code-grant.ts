import type { OAuthRedemption } from '../auth/oauth-client/oauth-client.ts'
import type { OAuthProviderConfig } from '../auth/oauth-client/oauth-provider.ts'
import type { ProviderSite } from './endpoints.ts'
import type { JsonObject } from './json-object.ts'

/** A redemption, and who asks for it. */
export interface CodeGrant extends OAuthRedemption {
  readonly clientId: string
  readonly clientSecret: string
}

/** A grant on its way to a provider. */
export interface Exchange {
  readonly provider: OAuthProviderConfig
  readonly site: ProviderSite
  readonly grant: CodeGrant
}

/** What a grant was redeemed for. */
export interface RedeemedCode extends Exchange {
  /** What the token endpoint answered. */
  readonly answer: JsonObject
}
