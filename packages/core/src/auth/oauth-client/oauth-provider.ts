/** Every type of provider, in the order of the documentation. `oidc` is any other OpenID Connect provider. */
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

/** The configuration of an identity provider, without its secret. */
export interface OAuthProviderConfig {
  /** The name that clients use for it. */
  readonly alias: string
  readonly type: OAuthProviderType
  readonly client_id: string | undefined
  /** For `azureadv2` and `azureadb2c`. */
  readonly tenant: string | undefined
  /** For `azureadb2c`. */
  readonly policy: string | undefined
  /** For `adfs` and `oidc`. */
  readonly discovery_document_endpoint: string | undefined
  /** For `apple`. */
  readonly team_id: string | undefined
  readonly key_id: string | undefined
  /** For `wechat`. */
  readonly app_type: 'web' | 'mobile' | undefined
  readonly account_id: string | undefined
  readonly is_sandbox_account: boolean
  /** In place of the default scopes of its type. */
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
  /** Store only the subject. */
  readonly do_not_store_identity_attributes: boolean
  readonly credentials_behavior: 'use_project_credentials' | 'use_demo_credentials'
}
