import type { JsonObject } from '../../storage/storage.ts'
import type { ProviderSite } from './endpoints.ts'
import type { OAuthRedemption } from './oauth-client.ts'
import type { OAuthProviderConfig } from './oauth-provider.ts'

/** A redemption with its client. */
export interface CodeGrant extends OAuthRedemption {
  readonly clientId: string
  readonly clientSecret: string
}

/** A grant with its provider. */
export interface Exchange {
  readonly provider: OAuthProviderConfig
  readonly site: ProviderSite
  readonly grant: CodeGrant
}

/** A redeemed code. */
export interface RedeemedCode extends Exchange {
  /** The answer of the token endpoint. */
  readonly answer: JsonObject
}
