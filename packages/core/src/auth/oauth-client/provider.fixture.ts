import type { OAuthAuthorization, OAuthRedemption } from './oauth-client.ts'
import type { OAuthProviderConfig, OAuthProviderType } from './oauth-provider.ts'

/** The configuration of a provider whose alias is its type. */
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

/** A PKCE verifier and its challenge. @see RFC 7636, appendix B */
export const pkce = {
  verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
} as const

const redirectUri = 'https://app.example.com/callback'

/** The parameters of an authorization request. */
export function authorizationOf(settings: Partial<OAuthAuthorization> = {}): OAuthAuthorization {
  return {
    redirect_uri: redirectUri,
    prompt: [],
    nonce: 'nonce-of-the-test',
    code_challenge: pkce.challenge,
    ...settings,
  }
}

/** The parameters for redeeming a code. */
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
