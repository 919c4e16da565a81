import type { AttemptRateLimits, LoadedAuthConfig, OtpRateLimits, RateLimit } from './config.ts'

const minute = 60_000
const hour = 60 * minute

const perMinute = (burst: number): RateLimit => ({ enabled: true, period_ms: minute, burst })

/** A limit that is switched off. */
const noLimit: RateLimit = { enabled: false, period_ms: minute, burst: 1 }

/**
 * Guesses at one account from any number of addresses: a burst of 50, then one every 72 seconds, so at most 100 an hour.
 * Authgear has no such limit.
 *
 * @see OWASP ASVS 4.0, 2.2.1
 */
const perAccount: RateLimit = { enabled: true, period_ms: hour, burst: 50 }

const perDay = (burst: number): RateLimit => ({ enabled: true, period_ms: 24 * hour, burst })

const attempts: AttemptRateLimits = {
  per_ip: perMinute(60),
  per_user_per_ip: perMinute(10),
  per_user: perAccount,
}
/** Secrets that are easy to guess. */
const dailyAttempts: AttemptRateLimits = { ...attempts, per_user: perDay(50) }

/** Wrong codes that end a code, where the document does not say it. The reference has no such limit. */
const wrongCodes = 10

const otpLimits: OtpRateLimits = {
  trigger_per_ip: noLimit,
  trigger_per_user: noLimit,
  trigger_cooldown_ms: minute,
  max_failed_attempts_revoke_otp: wrongCodes,
  validate_per_ip: perMinute(60),
  validate_per_user_per_ip: noLimit,
  validate_per_user: perDay(10),
}
const authenticationOtpLimits: OtpRateLimits = {
  ...otpLimits,
  validate_per_user_per_ip: perMinute(10),
}

const emailKey = {
  type: 'email',
  key: 'email',
  max_length: 320,
  create_disabled: false,
  update_disabled: false,
  delete_disabled: false,
} as const

const validPeriods = { code_ms: 5 * minute, link_ms: 20 * minute }

/** The configuration of a document with only `id` and `http.public_origin`. @see Authgear, `authgear.yaml` */
export function defaultAuthConfig(id: string, publicOrigin: string): LoadedAuthConfig {
  return {
    id,
    http: {
      public_origin: publicOrigin,
      base_path: '',
      allowed_origins: [],
      cookie_prefix: '',
      cookie_domain: undefined,
      allow_insecure: false,
    },
    authentication: {
      identities: ['oauth', 'login_id'],
      primary_authenticators: ['password'],
      secondary_authenticators: ['totp'],
      secondary_authentication_mode: 'if_exists',
      secondary_applies_to: [],
      secondary_authentication_grace_period: { enabled: false, end_at: undefined },
      device_token: {
        disabled: false,
        expire_in_days: 30,
        revoke_on_password_change: true,
        revoke_on_password_reset: true,
      },
      recovery_code: { disabled: false, count: 16 },
      public_signup_disabled: false,
      enumeration_protection: 'off',
      rate_limits: {
        general: attempts,
        password: attempts,
        oob_otp: { email: authenticationOtpLimits, sms: authenticationOtpLimits },
        totp: dailyAttempts,
        recovery_code: dailyAttempts,
        device_token: attempts,
        passkey: { per_ip: attempts.per_ip },
        signup: { per_ip: perMinute(10) },
        signup_anonymous: { per_ip: perMinute(60) },
        account_enumeration: { per_ip: perMinute(10) },
      },
      lockout: undefined,
    },
    identity: {
      login_id: {
        keys: [emailKey],
        types: {
          email: {
            case_sensitive: false,
            block_plus_sign: false,
            ignore_dot_sign: false,
            domain_blocklist_enabled: false,
            domain_allowlist_enabled: false,
            block_free_email_provider_domains: false,
            block_disposable_email_domains: false,
          },
          username: {
            block_reserved_usernames: true,
            exclude_keywords_enabled: false,
            ascii_only: true,
            case_sensitive: false,
          },
        },
      },
      oauth: { providers: [], allowed_redirect_uris: undefined },
      ldap: { servers: [] },
      on_conflict: { promotion: 'error' },
    },
    external_jwt: { issuers: [] },
    account_linking: { oauth: [], login_id: [], allow_unverified: false },
    bot_protection: {
      enabled: false,
      provider: undefined,
      requirements: {
        signup_or_login: { mode: 'never' },
        account_recovery: { mode: 'never' },
        password: { mode: 'never' },
        oob_otp_email: { mode: 'never' },
        oob_otp_sms: { mode: 'never' },
      },
    },
    authenticator: {
      password: {
        policy: {
          min_length: 8,
          uppercase_required: false,
          lowercase_required: false,
          alphabet_required: false,
          digit_required: false,
          symbol_required: false,
          minimum_guessable_level: 0,
          excluded_keywords: [],
          history_size: 0,
          history_days: 0,
        },
        force_change: true,
        expiry: { force_change: { enabled: false, duration_since_last_update_ms: undefined } },
      },
      totp: { maximum: 99, issuer: undefined },
      oob_otp: {
        email: { maximum: 99, email_otp_mode: 'code', valid_periods: validPeriods },
        sms: { maximum: 99, phone_otp_mode: 'whatsapp_sms', valid_periods: validPeriods },
      },
    },
    verification: {
      claims: {
        email: { enabled: true, required: true, otp_form: 'code' },
        phone_number: { enabled: true, required: true },
      },
      criteria: 'any',
      code_valid_period_ms: 5 * minute,
      rate_limits: { email: otpLimits, sms: otpLimits },
    },
    forgot_password: {
      enabled: true,
      valid_periods: validPeriods,
      revoke_sessions: true,
      reset_lockout: false,
      rate_limits: { email: otpLimits, sms: otpLimits },
    },
    session: {
      lifetime_seconds: 31_449_600,
      idle_timeout_enabled: true,
      idle_timeout_seconds: 2_592_000,
      use_session_cookie: false,
      revoke_on_password_change: true,
    },
    tokens: undefined,
    api_keys: undefined,
    user_profile: {
      standard_attributes: { population: { strategy: 'on_signup' } },
      custom_attributes: { attributes: [] },
    },
    oauth: { clients: [] },
    authentication_flow: {
      lifetime_ms: 20 * minute,
      rate_limits: { per_ip: perMinute(1_200) },
      flows: [],
    },
    ui: {
      passkey_upselling_opt_out_enabled: false,
      forgot_password: {
        email: [{ channel: 'email', otp_form: 'link' }],
        phone: [{ channel: 'sms', otp_form: 'code' }],
      },
      phone_input: { allowlist: undefined, validation_method: 'isValidNumber' },
      authentication_flow: { groups: [] },
    },
    messaging: {
      rate_limits: {
        sms_per_ip: perMinute(60),
        sms_per_target: { enabled: true, period_ms: hour, burst: 10 },
        email_per_ip: perMinute(200),
        email_per_target: { enabled: true, period_ms: 24 * hour, burst: 50 },
        sms: noLimit,
        email: noLimit,
      },
      notices: {
        new_sign_in: true,
        password_changed: true,
        address_changed: true,
        factor_changed: true,
        api_key_created: true,
        impersonated: false,
        deletion_scheduled: true,
      },
    },
    localization: { fallback_language: 'en', supported_languages: undefined },
    account_deletion: { scheduled_by_end_user_enabled: false, grace_period_days: 30 },
    invitations: { lifetime_days: 7 },
    links: {
      verify_login_link: undefined,
      reset_password: undefined,
      invitation: undefined,
      not_me: undefined,
    },
    test_mode: { oob_otp: [], email: [], sms: [], whatsapp: [] },
    hook: {
      blocking_handlers: [],
      non_blocking_handlers: [],
      sync_hook_timeout_ms: 5_000,
      sync_hook_total_timeout_ms: 10_000,
    },
    warnings: [],
  }
}
