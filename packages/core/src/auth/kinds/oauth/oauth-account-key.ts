import { sha256Hex } from '../../../crypto/crypto.ts'
import type { OAuthProviderConfig, OAuthProviderType } from '../../oauth-client/oauth-provider.ts'

/**
 * Within what a provider of each type gives a name to one person alone. Beyond it the same name may be somebody else's, so that it is
 * part of what accounts are told apart by; whoever changes one of these keys for a provider that is in use loses its accounts.
 *
 * @see Authgear, identity provider IDs
 */
const spaceOf: Readonly<
  Record<OAuthProviderType, (provider: OAuthProviderConfig) => readonly (string | undefined)[]>
> = {
  // One account is the same one for everybody who asks.
  google: () => [],
  github: () => [],
  // Each application is given names of its own.
  facebook: (provider) => [applicationOf(provider)],
  linkedin: (provider) => [applicationOf(provider)],
  // The id of an object in a directory.
  azureadv2: ({ tenant }) => [tenant],
  azureadb2c: ({ tenant }) => [tenant],
  // Names are made of the user and the application, by each server.
  adfs: (provider) => [provider.discovery_document_endpoint, applicationOf(provider)],
  // All applications of a team are given the same names.
  apple: ({ team_id }) => [team_id],
  // So are those of an account of the open platform; one for trying has accounts of no other.
  wechat: (provider) =>
    provider.is_sandbox_account
      ? [provider.account_id, 'sandbox', applicationOf(provider)]
      : [provider.account_id],
  // No issuer gives a name twice, and the document is that of one issuer.
  oidc: ({ discovery_document_endpoint: issuer }) => [issuer],
}

/** The credentials for trying are those of an application of their own. */
function applicationOf({ credentials_behavior, client_id }: OAuthProviderConfig): string {
  return credentials_behavior === 'use_demo_credentials' ? 'demo' : `client ${client_id ?? ''}`
}

/** What no two accounts of one type of provider share: of bounded length, whatever a provider calls its users. */
export function oauthAccountKey(provider: OAuthProviderConfig, subject: string): string {
  const space = spaceOf[provider.type](provider).map((key) => key ?? null)
  return sha256Hex(JSON.stringify([...space, subject]))
}
