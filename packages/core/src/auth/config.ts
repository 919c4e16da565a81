import type { Pattern } from '../regex.ts'
import type {
  FlowDefinition,
  FlowType,
  Identification,
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
}

/** Limits by address, and by user and address. Where the configuration is silent, those of `general`. */
export interface AttemptRateLimits {
  readonly per_ip: RateLimit
  readonly per_user_per_ip: RateLimit
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

/** What passwords must be like. */
export interface PasswordPolicyConfig {
  readonly min_length: number
  readonly uppercase_required: boolean
  readonly lowercase_required: boolean
  readonly alphabet_required: boolean
  readonly digit_required: boolean
  readonly symbol_required: boolean
  /** 0 to 5. */
  readonly minimum_guessable_level: number
  readonly excluded_keywords: readonly string[]
  readonly history_size: number
  readonly history_days: number
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

/** How long codes and links are good. */
export interface ValidPeriods {
  readonly code_ms: number
  readonly link_ms: number
}

/** Names a flow. */
export interface FlowName {
  readonly type: FlowType
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

/** A custom attribute of users. */
export interface CustomAttributeConfig {
  readonly id: string
  readonly pointer: string
  readonly type:
    | 'string'
    | 'number'
    | 'integer'
    | 'enum'
    | 'phone_number'
    | 'email'
    | 'url'
    | 'country_code'
  readonly minimum: number | undefined
  readonly maximum: number | undefined
  readonly enum: readonly string[]
}

/**
 * The configuration in the shape of `authgear.yaml`, with every default filled in. Lengths of time are in ms, with `_ms` in
 * their names.
 */
export interface AuthConfig {
  readonly id: string
  readonly http: {
    /** Without a trailing slash. */
    readonly public_origin: string
    /** Below which all paths are: empty, or starts with `/` and does not end with it. */
    readonly base_path: string
    readonly allowed_origins: readonly string[]
    readonly cookie_prefix: string
    readonly cookie_domain: string | undefined
    /** How many proxies are believed. */
    readonly trust_proxy: number
    readonly allow_insecure: boolean
  }
  readonly authentication: {
    readonly identities: readonly Identification[]
    readonly primary_authenticators: readonly string[]
    readonly secondary_authenticators: readonly string[]
    readonly secondary_authentication_mode: 'disabled' | 'if_exists' | 'required'
    readonly secondary_authentication_grace_period: {
      readonly enabled: boolean
      readonly end_at: number | undefined
    }
    readonly device_token: {
      readonly disabled: boolean
      readonly expire_in_days: number
      readonly revoke_on_password_reset: boolean
    }
    readonly recovery_code: {
      readonly disabled: boolean
      readonly count: number
      readonly list_enabled: boolean
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
      readonly signup: { readonly per_ip: RateLimit }
      readonly account_enumeration: { readonly per_ip: RateLimit }
    }
    /** `undefined` for none. */
    readonly lockout: LockoutConfig | undefined
  }
  readonly identity: {
    readonly login_id: {
      readonly keys: readonly LoginIdKeyConfig[]
      readonly types: {
        readonly email: {
          readonly case_sensitive: boolean
          readonly block_plus_sign: boolean
          readonly ignore_dot_sign: boolean
          readonly domain_blocklist_enabled: boolean
          readonly domain_allowlist_enabled: boolean
          readonly block_free_email_provider_domains: boolean
          readonly block_disposable_email_domains: boolean
        }
        readonly username: {
          readonly block_reserved_usernames: boolean
          readonly exclude_keywords_enabled: boolean
          readonly ascii_only: boolean
          readonly case_sensitive: boolean
        }
      }
    }
  }
  readonly authenticator: {
    readonly password: {
      readonly policy: PasswordPolicyConfig
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
    readonly revoke_sessions: boolean
    readonly reset_lockout: boolean
    readonly rate_limits: { readonly email: OtpRateLimits; readonly sms: OtpRateLimits }
  }
  readonly session: {
    readonly lifetime_seconds: number
    readonly idle_timeout_enabled: boolean
    readonly idle_timeout_seconds: number
    readonly use_session_cookie: boolean
    readonly revoke_on_password_change: boolean
  }
  readonly user_profile: {
    readonly standard_attributes: {
      readonly population: { readonly strategy: 'none' | 'on_signup' }
    }
    readonly custom_attributes: { readonly attributes: readonly CustomAttributeConfig[] }
  }
  readonly oauth: { readonly clients: readonly ClientConfig[] }
  readonly authentication_flow: {
    readonly lifetime_ms: number
    readonly rate_limits: { readonly per_ip: RateLimit }
    /** Those the document declares, of every type. */
    readonly flows: readonly FlowDefinition[]
  }
  readonly ui: {
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
  }
  readonly links: {
    /** With `{code}` in it. */
    readonly verify_login_link: string | undefined
    readonly reset_password: string | undefined
  }
  readonly test_mode: {
    readonly oob_otp: readonly TestModeRule[]
    readonly email: readonly TestModeRule[]
    readonly sms: readonly TestModeRule[]
    readonly whatsapp: readonly TestModeRule[]
  }
  readonly hook: {
    readonly sync_hook_timeout_ms: number
    readonly sync_hook_total_timeout_ms: number
  }
  /** What is not wrong, but was probably not meant. */
  readonly warnings: readonly string[]
}
