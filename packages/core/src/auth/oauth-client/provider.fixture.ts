import type { OAuthAuthorization, OAuthRedemption } from './oauth-client.ts'
import type { OAuthProviderConfig, OAuthProviderType } from './oauth-provider.ts'

/** A provider whose alias is its type, as it is configured. */
export function providerOf(
  type: OAuthProviderType,
  settings: Partial<OAuthProviderConfig> = {},
): OAuthProviderConfig {
  return {
    alias: type,
    type,
    client_id: 'client-1',
    tenant: undefined,
    policy: undefined,
    discovery_document_endpoint: undefined,
    team_id: undefined,
    key_id: undefined,
    app_type: undefined,
    account_id: undefined,
    is_sandbox_account: false,
    scope_override: undefined,
    claims: { email: { assume_verified: true, required: true } },
    create_disabled: false,
    delete_disabled: false,
    do_not_store_identity_attributes: false,
    credentials_behavior: 'use_project_credentials',
    ...settings,
  }
}

/** Of PKCE: what a code is redeemed with, and its challenge. @see RFC 7636, appendix B */
export const pkce = {
  verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
} as const

const redirectUri = 'https://app.example.com/callback'

/** What a browser is sent to a provider with. */
export function authorizationOf(settings: Partial<OAuthAuthorization> = {}): OAuthAuthorization {
  return {
    redirect_uri: redirectUri,
    prompt: [],
    nonce: 'nonce-of-the-test',
    code_challenge: pkce.challenge,
    ...settings,
  }
}

/** What a code is redeemed with. */
export function redemptionOf(
  code: string,
  settings: Partial<OAuthRedemption> = {},
): OAuthRedemption {
  return {
    code,
    redirect_uri: redirectUri,
    nonce: 'nonce-of-the-test',
    code_verifier: pkce.verifier,
    ...settings,
  }
}
