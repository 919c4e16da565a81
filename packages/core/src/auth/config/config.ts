import type { Pattern } from '@gatehouse/go-template/regex'
import type { CustomAttribute } from '../accounts/attribute-kind.ts'
import type { ClaimName } from '../accounts/identity-record.ts'
import type { ExternalJwtIssuer } from '../external-jwt/external-jwt.ts'
import type { LdapServer } from '../ldap-client/ldap.ts'
import type { EmailOptions } from '../login-ids/email.ts'
import type { UsernameOptions } from '../login-ids/username.ts'
import type { OAuthProviderConfig } from '../oauth-client/oauth-provider.ts'
import type {
  BranchBotProtection,
  DeclaredFlowType,
  FlowDefinition,
  Identification,
  LinkingAction,
  RecoveryChannel,
} from './flow-definition.ts'

/** How often something may happen. */
export interface RateLimit {
  readonly enabled: boolean
  readonly period_ms: number
  readonly burst: number
}

/** Limits of requests for codes and of their verification, for one kind of address. */
export interface OtpRateLimits {
  readonly trigger_per_ip: RateLimit
  readonly trigger_per_user: RateLimit
  readonly trigger_cooldown_ms: number
  /** 0: no number of wrong codes ends a code. */
  readonly max_failed_attempts_revoke_otp: number
  readonly validate_per_ip: RateLimit
  readonly validate_per_user_per_ip: RateLimit
  /** Whatever the addresses it comes from; of a code that signs nobody in, by where it was sent. */
  readonly validate_per_user: RateLimit
}

/** Limits by address, by user and address, and by user whatever the address. Where the configuration is silent, those of `general`. */
export interface AttemptRateLimits {
  readonly per_ip: RateLimit
  readonly per_user_per_ip: RateLimit
  readonly per_user: RateLimit
}

/** How many attempts lock an account, and for how long. */
export interface LockoutConfig {
  readonly max_attempts: number
  readonly history_duration_ms: number
  readonly minimum_duration_ms: number
  readonly maximum_duration_ms: number
  readonly backoff_factor: number
  readonly lockout_type: 'per_user' | 'per_user_per_ip'
  readonly password: { readonly enabled: boolean }
  readonly totp: { readonly enabled: boolean }
  readonly oob_otp: { readonly enabled: boolean }
  readonly recovery_code: { readonly enabled: boolean }
}

/** A key of login IDs. */
export interface LoginIdKeyConfig {
  readonly type: 'email' | 'phone' | 'username'
  readonly key: string
  readonly max_length: number
  readonly create_disabled: boolean
  readonly update_disabled: boolean
  readonly delete_disabled: boolean
}

/** When a new identity is linked to an existing account. */
export interface LinkingRule {
  /** The name that flows refer to. */
  readonly name: string | undefined
  /** The alias of a provider, or the key of login IDs. */
  readonly source: string
  /** The claim of the identity that comes in. */
  readonly claim: ClaimName
  /** The claim of the account it is compared to. */
  readonly user_claim: ClaimName
  readonly action: LinkingAction
}

/** Whether something needs proof of not being a machine. */
export type BotProtectionMode = BranchBotProtection['mode']

/** How long codes and links are good. */
export interface ValidPeriods {
  readonly code_ms: number
  readonly link_ms: number
}

/** Names a flow. */
export interface FlowName {
  readonly type: DeclaredFlowType
  readonly name: string
}

/** An application that signs people in. */
export interface ClientConfig {
  readonly client_id: string
  readonly redirect_uris: readonly string[]
  /** 0: any number. */
  readonly x_max_concurrent_session: number
  readonly x_authentication_flow_allowlist:
    | { readonly groups: readonly { readonly name: string }[]; readonly flows: readonly FlowName[] }
    | undefined
}

/** A rule of the test mode: for which addresses, and what. */
export interface TestModeRule {
  readonly regex: Pattern
  readonly fixed_code: string | undefined
  readonly suppressed: boolean
}

/** Access and refresh tokens for programs. */
export interface TokensConfig {
  readonly access_token_lifetime_seconds: number
  readonly refresh_token_lifetime_seconds: number
  /** How long a replaced refresh token may be sent once more. */
  readonly refresh_token_leeway_seconds: number
  /** Which services access tokens are for. */
  readonly audience: readonly string[]
  readonly signing_key_rotation_days: number
}

/** API keys for programs. */
export interface ApiKeysConfig {
  /** What keys may be used for. */
  readonly scopes: readonly string[]
  /** The scopes that people may give keys of their own; empty: they make none. */
  readonly own_scopes: readonly string[]
  readonly max_per_owner: number
  /** `undefined`: a key may last until it is revoked. */
  readonly max_lifetime_days: number | undefined
  readonly rate_limits: { readonly wrong_per_ip: RateLimit }
}

/**
 * The configuration in the shape of `authgear.yaml`, with every default filled in. Lengths of time are in ms, with `_ms` in
 * their names.
 */
export interface LoadedAuthConfig {
  readonly id: string
  readonly http: {
    /** Without a trailing slash. */
    readonly public_origin: string
    /** Below which all paths are: empty, or starts with `/` and does not end with it. */
    readonly base_path: string
    readonly allowed_origins: readonly string[]
    readonly cookie_prefix: string
    readonly cookie_domain: string | undefined
    readonly allow_insecure: boolean
  }
  readonly authentication: {
    readonly identities: readonly Identification[]
    readonly primary_authenticators: readonly string[]
    readonly secondary_authenticators: readonly string[]
    readonly secondary_authentication_mode: 'disabled' | 'if_exists' | 'required'
    /** Further identifications whose generated logins ask for a second factor. */
    readonly secondary_applies_to: readonly Identification[]
    readonly secondary_authentication_grace_period: {
      readonly enabled: boolean
      readonly end_at: number | undefined
    }
    readonly device_token: {
      readonly disabled: boolean
      readonly expire_in_days: number
      /** Whether a changed password ends the trust in devices that got it before. */
      readonly revoke_on_password_change: boolean
      /** Whether an account recovery ends the trust in all devices. */
      readonly revoke_on_password_reset: boolean
    }
    readonly recovery_code: {
      readonly disabled: boolean
      readonly count: number
    }
    readonly public_signup_disabled: boolean
    readonly enumeration_protection: 'off' | 'login' | 'strict'
    readonly rate_limits: {
      readonly general: AttemptRateLimits
      readonly password: AttemptRateLimits
      readonly oob_otp: { readonly email: OtpRateLimits; readonly sms: OtpRateLimits }
      readonly totp: AttemptRateLimits
      readonly recovery_code: AttemptRateLimits
      readonly device_token: AttemptRateLimits
      readonly passkey: { readonly per_ip: RateLimit }
      readonly signup: { readonly per_ip: RateLimit }
      readonly signup_anonymous: { readonly per_ip: RateLimit }
      readonly account_enumeration: { readonly per_ip: RateLimit }
    }
    /** `undefined` for none. */
    readonly lockout: LockoutConfig | undefined
  }
  readonly identity: {
    readonly login_id: {
      readonly keys: readonly LoginIdKeyConfig[]
      readonly types: { readonly email: EmailOptions; readonly username: UsernameOptions }
    }
    readonly oauth: {
      readonly providers: readonly OAuthProviderConfig[]
      /** `undefined` for any. */
      readonly allowed_redirect_uris: readonly string[] | undefined
    }
    readonly ldap: { readonly servers: readonly LdapServer[] }
    /** How to treat a guest whose identity belongs to another account. */
    readonly on_conflict: { readonly promotion: 'error' | 'login' }
  }
  readonly external_jwt: { readonly issuers: readonly ExternalJwtIssuer[] }
  readonly account_linking: {
    readonly oauth: readonly LinkingRule[]
    readonly login_id: readonly LinkingRule[]
    /** Whether an address that the provider has not verified links too. */
    readonly allow_unverified: boolean
  }
  readonly bot_protection: {
    readonly enabled: boolean
    readonly provider: { readonly type: string; readonly site_key: string | undefined } | undefined
    readonly requirements: {
      readonly signup_or_login: { readonly mode: BotProtectionMode }
      readonly account_recovery: { readonly mode: BotProtectionMode }
      readonly password: { readonly mode: BotProtectionMode }
      readonly oob_otp_email: { readonly mode: BotProtectionMode }
      readonly oob_otp_sms: { readonly mode: BotProtectionMode }
    }
  }
  readonly authenticator: {
    readonly password: {
      readonly policy: PasswordPolicy
      readonly force_change: boolean
      readonly expiry: {
        readonly force_change: {
          readonly enabled: boolean
          readonly duration_since_last_update_ms: number | undefined
        }
      }
    }
    readonly totp: { readonly maximum: number; readonly issuer: string | undefined }
    readonly oob_otp: {
      readonly email: {
        readonly maximum: number
        readonly email_otp_mode: 'code' | 'login_link'
        readonly valid_periods: ValidPeriods
      }
      readonly sms: {
        readonly maximum: number
        readonly phone_otp_mode: 'sms' | 'whatsapp_sms' | 'whatsapp'
        readonly valid_periods: ValidPeriods
      }
    }
  }
  readonly verification: {
    readonly claims: {
      readonly email: {
        readonly enabled: boolean
        readonly required: boolean
        readonly otp_form: 'code' | 'link'
      }
      readonly phone_number: { readonly enabled: boolean; readonly required: boolean }
    }
    readonly criteria: 'any' | 'all'
    readonly code_valid_period_ms: number
    readonly rate_limits: { readonly email: OtpRateLimits; readonly sms: OtpRateLimits }
  }
  readonly forgot_password: {
    readonly enabled: boolean
    readonly valid_periods: ValidPeriods
    /** Whether an account recovery ends all sessions. */
    readonly revoke_sessions: boolean
    readonly reset_lockout: boolean
    readonly rate_limits: { readonly email: OtpRateLimits; readonly sms: OtpRateLimits }
  }
  readonly session: {
    readonly lifetime_seconds: number
    readonly idle_timeout_enabled: boolean
    readonly idle_timeout_seconds: number
    readonly use_session_cookie: boolean
    /** Whether a changed password ends all sessions but the one it was changed in. */
    readonly revoke_on_password_change: boolean
  }
  /** `undefined`: programs get no tokens. */
  readonly tokens: TokensConfig | undefined
  /** `undefined`: there are none. */
  readonly api_keys: ApiKeysConfig | undefined
  readonly user_profile: {
    readonly standard_attributes: {
      readonly population: { readonly strategy: 'none' | 'on_signup' }
    }
    readonly custom_attributes: { readonly attributes: readonly CustomAttribute[] }
  }
  readonly oauth: { readonly clients: readonly ClientConfig[] }
  readonly authentication_flow: {
    readonly lifetime_ms: number
    readonly rate_limits: { readonly per_ip: RateLimit }
    /** The declared flows, by type. */
    readonly flows: readonly FlowDefinition[]
  }
  readonly ui: {
    readonly passkey_upselling_opt_out_enabled: boolean
    readonly forgot_password: {
      readonly email: readonly RecoveryChannel[]
      readonly phone: readonly RecoveryChannel[]
    }
    readonly phone_input: {
      /** ISO 3166-1 alpha-2; `undefined` for all. */
      readonly allowlist: readonly string[] | undefined
      readonly validation_method: 'isValidNumber' | 'isPossibleNumber'
    }
    readonly authentication_flow: {
      readonly groups: readonly { readonly name: string; readonly flows: readonly FlowName[] }[]
    }
  }
  readonly messaging: {
    readonly rate_limits: {
      readonly sms_per_ip: RateLimit
      readonly sms_per_target: RateLimit
      readonly email_per_ip: RateLimit
      readonly email_per_target: RateLimit
      readonly sms: RateLimit
      readonly email: RateLimit
    }
    /** Which changes people get a mail about. */
    readonly notices: {
      readonly new_sign_in: boolean
      readonly password_changed: boolean
      readonly address_changed: boolean
      readonly factor_changed: boolean
      readonly api_key_created: boolean
      readonly impersonated: boolean
      readonly deletion_scheduled: boolean
    }
  }
  /** The languages of messages and of the pages that their links lead to. */
  readonly localization: {
    /** For people whose languages are not among them. */
    readonly fallback_language: string
    /** The only ones; `undefined` for all that there are texts in. */
    readonly supported_languages: readonly string[] | undefined
  }
  readonly account_deletion: {
    /** Whether users can delete their own accounts. */
    readonly scheduled_by_end_user_enabled: boolean
    /** How long they can change their mind. */
    readonly grace_period_days: number
  }
  readonly invitations: { readonly lifetime_days: number }
  readonly links: {
    /** With `{code}` in it. */
    readonly verify_login_link: string | undefined
    readonly reset_password: string | undefined
    readonly invitation: string | undefined
    /** Where mails about a change lead people who did not make it. */
    readonly not_me: string | undefined
  }
  readonly test_mode: {
    readonly oob_otp: readonly TestModeRule[]
    readonly email: readonly TestModeRule[]
    readonly sms: readonly TestModeRule[]
    readonly whatsapp: readonly TestModeRule[]
  }
  readonly hook: {
    /** In the order in which they are asked. */
    readonly blocking_handlers: readonly { readonly event: string; readonly url: string }[]
    readonly non_blocking_handlers: readonly {
      /** `*` stands for all. */
      readonly events: readonly string[]
      readonly url: string
    }[]
    readonly sync_hook_timeout_ms: number
    readonly sync_hook_total_timeout_ms: number
  }
  /** Probable mistakes. */
  readonly warnings: readonly string[]
}

/** The policy for new passwords, as configured. */
export interface PasswordPolicy {
  /** In code points. */
  readonly min_length: number
  readonly uppercase_required: boolean
  readonly lowercase_required: boolean
  readonly alphabet_required: boolean
  readonly digit_required: boolean
  readonly symbol_required: boolean
  /** 1 to 5, one more than the least strength; 0 for any. */
  readonly minimum_guessable_level: number
  readonly excluded_keywords: readonly string[]
  /** How many earlier passwords may not be used again. */
  readonly history_size: number
  /** For how many days an earlier password may not be used again. */
  readonly history_days: number
}

/** What has the configuration that is in force. A reload replaces it. */
export interface WithConfig {
  readonly config: { readonly current: LoadedAuthConfig }
}
