import type { ProviderSite } from './endpoints.ts'
import type { JsonObject } from './json-object.ts'
import type { OAuthRedemption } from './oauth-client.ts'
import type { OAuthProviderConfig } from './oauth-provider.ts'

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
