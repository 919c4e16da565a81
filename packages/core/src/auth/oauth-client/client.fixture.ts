import type { OAuthClientOptions } from './client-options.ts'
import { createOAuthClient } from './create-oauth-client.ts'
import type { OAuthClient, OAuthProfile, OAuthRedemption } from './oauth-client.ts'
import type { OAuthProviderConfig, OAuthProviderType } from './oauth-provider.ts'
import { authorizationOf, providerOf, redemptionOf } from './provider.fixture.ts'

/** A client with one provider, whose secret is `secret-1`. */
export interface TestClient {
  readonly client: OAuthClient
  readonly provider: OAuthProviderConfig
  /** The authorization URL. */
  authorize(settings?: Parameters<typeof authorizationOf>[0]): Promise<URL>
  /** Redeems `code-1`. */
  redeem(settings?: Partial<OAuthRedemption>): Promise<OAuthProfile>
}

/** A client that may connect to this machine. */
export function testClient(
  type: OAuthProviderType,
  settings: Partial<OAuthProviderConfig> = {},
  options: Partial<OAuthClientOptions> = {},
): TestClient {
  const client = createOAuthClient({
    credentials: { [type]: { clientSecret: 'secret-1' } },
    allowPrivateAddresses: true,
    ...options,
  })
  const provider = providerOf(type, settings)
  return {
    client,
    provider,
    async authorize(request) {
      return new URL(await client.authorizationUrl(provider, authorizationOf(request)))
    },
    redeem: (redemption) => client.redeem(provider, redemptionOf('code-1', redemption)),
  }
}
