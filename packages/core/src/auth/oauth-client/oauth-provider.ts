/** Every type of provider, in the order of the documentation. `oidc` is any other that speaks OpenID Connect. */
export const oauthProviderTypes = [
  'google',
  'facebook',
  'github',
  'linkedin',
  'azureadv2',
  'azureadb2c',
  'adfs',
  'apple',
  'wechat',
  'oidc',
] as const

export type OAuthProviderType = (typeof oauthProviderTypes)[number]

/** An identity provider, as it is configured. Its secret is no part of the configuration. */
export interface OAuthProviderConfig {
  /** What clients call it. */
  readonly alias: string
  readonly type: OAuthProviderType
  readonly client_id: string | undefined
  /** Of `azureadv2` and `azureadb2c`. */
  readonly tenant: string | undefined
  /** Of `azureadb2c`. */
  readonly policy: string | undefined
  /** Of `adfs` and `oidc`. */
  readonly discovery_document_endpoint: string | undefined
  /** Of `apple`. */
  readonly team_id: string | undefined
  readonly key_id: string | undefined
  /** Of `wechat`. */
  readonly app_type: 'web' | 'mobile' | undefined
  readonly account_id: string | undefined
  readonly is_sandbox_account: boolean
  /** In place of the scopes its type has. */
  readonly scope_override: readonly string[] | undefined
  readonly claims: {
    readonly email: {
      /** `false`: the claim `email_verified` decides. */
      readonly assume_verified: boolean
      readonly required: boolean
    }
  }
  readonly create_disabled: boolean
  readonly delete_disabled: boolean
  /** Keep the subject and nothing else. */
  readonly do_not_store_identity_attributes: boolean
  readonly credentials_behavior: 'use_project_credentials' | 'use_demo_credentials'
}
