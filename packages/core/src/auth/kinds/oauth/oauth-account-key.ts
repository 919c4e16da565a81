import { sha256Hex } from '../../../crypto/crypto.ts'
import type { OAuthProviderConfig, OAuthProviderType } from '../../oauth-client/oauth-provider.ts'

/**
 * The namespace within which a provider of each type keeps a subject unique. Outside of it the same subject may belong to
 * another user, so the namespace is part of the account key. Changing a key for a provider in use loses its accounts.
 *
 * @see Authgear, identity provider IDs
 */
const spaceOf: Readonly<
  Record<OAuthProviderType, (provider: OAuthProviderConfig) => readonly (string | undefined)[]>
> = {
  // An account has the same subject for every client.
  google: () => [],
  github: () => [],
  // Each application gets its own subjects.
  facebook: (provider) => [applicationOf(provider)],
  linkedin: (provider) => [applicationOf(provider)],
  // The id of an object in a directory.
  azureadv2: ({ tenant }) => [tenant],
  azureadb2c: ({ tenant }) => [tenant],
  // Each server derives subjects from the user and the application.
  adfs: (provider) => [provider.discovery_document_endpoint, applicationOf(provider)],
  // All applications of a team get the same subjects.
  apple: ({ team_id }) => [team_id],
  // So do those of an account of the open platform; a sandbox account has its own users.
  wechat: (provider) =>
    provider.is_sandbox_account
      ? [provider.account_id, 'sandbox', applicationOf(provider)]
      : [provider.account_id],
  // Subjects are unique at an issuer, and a document belongs to one issuer.
  oidc: ({ discovery_document_endpoint: issuer }) => [issuer],
}

/** The demo credentials belong to an application of their own. */
function applicationOf({ credentials_behavior, client_id }: OAuthProviderConfig): string {
  return credentials_behavior === 'use_demo_credentials' ? 'demo' : `client ${client_id ?? ''}`
}

/** A unique key for an account at one type of provider, of bounded length for subjects of any length. */
export function oauthAccountKey(provider: OAuthProviderConfig, subject: string): string {
  const space = spaceOf[provider.type](provider).map((key) => key ?? null)
  return sha256Hex(JSON.stringify([...space, subject]))
}
