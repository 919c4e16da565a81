import type { OAuthProviderType } from '../../oauth-client/oauth-provider.ts'
/** By what people are known. */
export interface WrittenIdentity {
  readonly login_id?: {
    /** Default: `email` alone. */
    readonly keys?: readonly WrittenLoginIdKey[]
    readonly types?: {
      readonly email?: WrittenEmail
      readonly username?: WrittenUsername
    }
  }
  readonly oauth?: {
    /** Identity providers (default none). Their secrets are given in code. */
    readonly providers?: readonly WrittenProvider[]
    /** Where providers may send browsers back to (default: anywhere that a flow says). */
    readonly allowed_redirect_uris?: readonly string[]
  }
  readonly on_conflict?: {
    /** What becomes of somebody anonymous whose identity is somebody else's (default `error`). */
    readonly promotion?: 'error' | 'login'
  }
}

interface WrittenLoginIdKey {
  readonly type: 'email' | 'phone' | 'username'
  /** What refers to it (default: the type). */
  readonly key?: string
  /** In characters (default 320 for `email`, else 40). */
  readonly max_length?: number
  /** Whether users cannot add one by themselves (default `false`). */
  readonly create_disabled?: boolean
  /** Default `false`. */
  readonly update_disabled?: boolean
  /** Default `false`. */
  readonly delete_disabled?: boolean
  /** The older form of the three above. */
  readonly modify_disabled?: boolean
}

interface WrittenEmail {
  /** Default `false`. */
  readonly case_sensitive?: boolean
  /** Whether `+` is refused (default `false`). */
  readonly block_plus_sign?: boolean
  /** Whether dots make no difference (default `false`). */
  readonly ignore_dot_sign?: boolean
  /** Default `false`. */
  readonly domain_blocklist_enabled?: boolean
  /** Default `false`. Not together with lists of domains that are refused. */
  readonly domain_allowlist_enabled?: boolean
  /** Default `false`. */
  readonly block_free_email_provider_domains?: boolean
  /** Default `false`. */
  readonly block_disposable_email_domains?: boolean
}

interface WrittenUsername {
  /** Default `true`. */
  readonly block_reserved_usernames?: boolean
  /** Default `false`. */
  readonly exclude_keywords_enabled?: boolean
  /** Default `true`. */
  readonly ascii_only?: boolean
  /** Default `false`. */
  readonly case_sensitive?: boolean
}

interface WrittenProvider {
  /** What refers to it. */
  readonly alias: string
  readonly type: OAuthProviderType
  /** Without it nobody can sign in by the provider. */
  readonly client_id?: string
  /** Of `azureadv2` and `azureadb2c`, which need it. */
  readonly tenant?: string
  /** Of `azureadb2c`, which needs it. */
  readonly policy?: string
  /** Of `adfs` and `oidc`, which need it. */
  readonly discovery_document_endpoint?: string
  /** Of `apple`, which needs it. */
  readonly team_id?: string
  /** Of `apple`, which needs it. */
  readonly key_id?: string
  /** Of `wechat`. */
  readonly app_type?: 'web' | 'mobile'
  /** Of `wechat`. */
  readonly account_id?: string
  /** Of `wechat` (default `false`). */
  readonly is_sandbox_account?: boolean
  /** The scopes to ask for (default: those of the type). */
  readonly scope_override?: readonly string[]
  readonly claims?: {
    readonly email?: {
      /** Whether an address of the provider counts as proven (default `true`, for `oidc` and open tenants `false`). */
      readonly assume_verified?: boolean
      /** Whether nobody signs in without an address (default `true`, for `oidc` and `wechat` `false`). */
      readonly required?: boolean
    }
  }
  /** Whether users cannot add one by themselves (default `false`). */
  readonly create_disabled?: boolean
  /** Default `false`. */
  readonly delete_disabled?: boolean
  /** The older form of the two above. */
  readonly modify_disabled?: boolean
  /** Default `false`. */
  readonly do_not_store_identity_attributes?: boolean
  /** Whether the provider is only tried, with credentials for demonstrations (default `use_project_credentials`). */
  readonly credentials_behavior?: 'use_project_credentials' | 'use_demo_credentials'
}

interface WrittenPointer {
  readonly pointer: '/email' | '/phone_number' | '/preferred_username'
}

interface WrittenLinkingRule {
  /** What flows refer to it by. */
  readonly name?: string
  /** The claim of the account that is compared. */
  readonly user_profile: WrittenPointer
  /** Default `error`. */
  readonly action?: 'error' | 'login_and_link'
}

/** When an identity that comes in is taken for one of an account that is there. */
export interface WrittenAccountLinking {
  readonly oauth?: readonly (WrittenLinkingRule & {
    /** Of a provider. */
    readonly alias: string
    /** The claim of the identity that comes in. */
    readonly oauth_claim: WrittenPointer
  })[]
  readonly login_id?: readonly (WrittenLinkingRule & {
    /** Of `identity.login_id.keys`. */
    readonly key: string
  })[]
  /** Whether an address that the provider has not verified links too (default `false`). */
  readonly allow_unverified?: boolean
}
