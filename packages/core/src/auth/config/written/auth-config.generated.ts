// Written by `npm run generate`; the schemas are where to change it.

interface WrittenRateLimit {
  /** Whether there is a limit. Required: if the key is absent, the default limit applies. */
  readonly enabled?: boolean
  /** Refill period, such as `1m`. Required for a limit that is enabled. */
  readonly period?: string
  /** Bucket size; refills fully once per `period`. Default: 1. */
  readonly burst?: number
}

interface WrittenAttemptLimits {
  /** By address. Default: as `general`. */
  readonly per_ip?: WrittenRateLimit
  /** By user and address. Default: as `general`. */
  readonly per_user_per_ip?: WrittenRateLimit
  /** By user, whatever the address. Default: as `general`. */
  readonly per_user?: WrittenRateLimit
}

interface WrittenOtpLimits {
  /** Codes requested, by address. Default: `{"enabled":false}`. */
  readonly trigger_per_ip?: WrittenRateLimit
  /** How long until a code can be sent again. Default: `1m`. */
  readonly trigger_cooldown?: string
  /** How many wrong codes end a code; 0 for any number. Default: `10`. */
  readonly max_failed_attempts_revoke_otp?: number
  /** Codes requested, by user. Default: `{"enabled":false}`. */
  readonly trigger_per_user?: WrittenRateLimit
  /** Codes tried, by address. Default: as `general`. */
  readonly validate_per_ip?: WrittenRateLimit
  /** Codes tried, by user and address. Default: as `general`. */
  readonly validate_per_user_per_ip?: WrittenRateLimit
  /** Codes tried, by user, and four times as many in the flow that they were sent for. Default: as `general`, but at most 10 in `24h`. */
  readonly validate_per_user?: WrittenRateLimit
}

interface WrittenMethod {
  /** Whether its failures count. Default: `false`. */
  readonly enabled?: boolean
}

interface WrittenPointer {
  /** The claim. */
  readonly pointer: '/email' | '/phone_number' | '/preferred_username'
}

interface WrittenRequirement {
  /** Whether a response of the provider is needed. Default: `never`. */
  readonly mode?: 'never' | 'always'
}

interface WrittenPeriods {
  /** For a code. Default: `5m`. */
  readonly code?: string
  /** For a link. Default: `20m`. */
  readonly link?: string
}

interface WrittenVerificationLimits {
  /** Codes requested, by address. Default: `{"enabled":false}`. */
  readonly trigger_per_ip?: WrittenRateLimit
  /** How long until a code can be sent again. Default: `1m`. */
  readonly trigger_cooldown?: string
  /** How many wrong codes end a code; 0 for any number. Default: `10`. */
  readonly max_failed_attempts_revoke_otp?: number
  /** Codes tried, by address. Default: `{"enabled":true,"period":"1m","burst":60}`. */
  readonly validate_per_ip?: WrittenRateLimit
  /** Codes tried, by where they were sent, and four times as many in the flow that they were sent for. Default: `{"enabled":true,"period":"24h","burst":10}`. */
  readonly validate_per_user?: WrittenRateLimit
  /** Codes requested, by user. Default: `{"enabled":false}`. */
  readonly trigger_per_user?: WrittenRateLimit
}

interface WrittenRecoveryLimits {
  /** Codes requested, by address. Default: `{"enabled":false}`. */
  readonly trigger_per_ip?: WrittenRateLimit
  /** How long until a code can be sent again. Default: `1m`. */
  readonly trigger_cooldown?: string
  /** How many wrong codes end a code; 0 for any number. Default: `10`. */
  readonly max_failed_attempts_revoke_otp?: number
  /** Codes tried, by address. Default: `{"enabled":true,"period":"1m","burst":60}`. */
  readonly validate_per_ip?: WrittenRateLimit
  /** Codes tried, by where they were sent, and four times as many in the flow that they were sent for. Default: `{"enabled":true,"period":"24h","burst":10}`. */
  readonly validate_per_user?: WrittenRateLimit
}

export interface AuthFlowName {
  /** The type of the flow. */
  readonly type: 'signup' | 'promote' | 'login' | 'signup_login' | 'reauth' | 'account_recovery'
  /** Its name. */
  readonly name: string
}

export interface AuthFlows {
  /** Sign-up flows. Default: none. */
  readonly signup_flows?: readonly SignupFlow[]
  /** How guests sign up. Default: none. */
  readonly promote_flows?: readonly PromoteFlow[]
  /** Login flows. Default: none. */
  readonly login_flows?: readonly LoginFlow[]
  /** Flows that sign up new users and log in known ones. Default: none. */
  readonly signup_login_flows?: readonly SignupLoginFlow[]
  /** Re-authentication flows for users with a session. Default: none. */
  readonly reauth_flows?: readonly ReauthFlow[]
  /** Account recovery. Default: none. */
  readonly account_recovery_flows?: readonly RecoveryFlow[]
  /** How long a flow may take. Default: `20m`. */
  readonly lifetime?: string
  /** How often states may be read and advanced. */
  readonly rate_limits?: {
    /** By address. Default: `{"enabled":true,"period":"1m","burst":1200}`. */
    readonly per_ip?: WrittenRateLimit
  }
}

interface SignupFlow {
  /** Letters, digits and `_`. `default` replaces the generated flow. */
  readonly name: string
  /** The steps of the flow. */
  readonly steps: readonly (
    | SignupIdentifyStep
    | SignupCreateAuthenticatorStep
    | VerifyStep
    | FillInUserProfileStep
    | ViewRecoveryCodeStep
    | PromptCreatePasskeyStep
  )[]
}

interface SignupIdentifyStep {
  /** The type of the step. */
  readonly type: 'identify'
  /** The name that other steps refer to. */
  readonly name?: string
  /** The ways on, in the order in which they are offered. */
  readonly one_of: readonly SignupIdentifyBranch[]
}

interface SignupIdentifyBranch {
  /** One of `email`, `phone`, `username`, `oauth`, `ldap`, or your own. */
  readonly identification: string
  /** Whether a CAPTCHA is required here. */
  readonly bot_protection?: BranchBotProtection
  /** Run right after the step when this branch was taken. */
  readonly steps?: readonly (
    | SignupIdentifyStep
    | SignupCreateAuthenticatorStep
    | VerifyStep
    | FillInUserProfileStep
    | ViewRecoveryCodeStep
    | PromptCreatePasskeyStep
  )[]
  /** How it departs from `account_linking`. */
  readonly account_linking?: LinkingOverrides
}

interface BranchBotProtection {
  /** Whether a response of the provider is needed. */
  readonly mode: 'never' | 'always'
}

interface SignupCreateAuthenticatorStep {
  /** The type of the step. */
  readonly type: 'create_authenticator'
  /** The name that other steps refer to. */
  readonly name?: string
  /** The ways on, in the order in which they are offered. */
  readonly one_of: readonly SignupCreateBranch[]
}

interface SignupCreateBranch {
  /** One of `primary_password`, `primary_passkey`, `primary_oob_otp_email`, `primary_oob_otp_sms`, `secondary_password`, `secondary_totp`, `secondary_oob_otp_email`, `secondary_oob_otp_sms`, or your own. */
  readonly authentication: string
  /** The step `identify` whose address codes go to. */
  readonly target_step?: string
  /** Whether a CAPTCHA is required here. */
  readonly bot_protection?: BranchBotProtection
  /** Run right after the step when this branch was taken. */
  readonly steps?: readonly (
    | SignupIdentifyStep
    | SignupCreateAuthenticatorStep
    | VerifyStep
    | FillInUserProfileStep
    | ViewRecoveryCodeStep
    | PromptCreatePasskeyStep
  )[]
  /** Whether the address must be proven first. Default: `true`. */
  readonly verification_required?: boolean
}

interface VerifyStep {
  /** The type of the step. */
  readonly type: 'verify'
  /** The name that other steps refer to. */
  readonly name?: string
  /** A step `identify`. */
  readonly target_step: string
}

interface FillInUserProfileStep {
  /** The type of the step. */
  readonly type: 'fill_in_user_profile'
  /** The name that other steps refer to. */
  readonly name?: string
  /** The attributes to fill in. */
  readonly user_profile: readonly {
    /** The attribute, as `/given_name`. */ readonly pointer: string
    /** Whether it must be given. Default: `false`. */
    readonly required?: boolean
  }[]
}

interface ViewRecoveryCodeStep {
  /** The type of the step. */
  readonly type: 'view_recovery_code'
  /** The name that other steps refer to. */
  readonly name?: string
}

interface PromptCreatePasskeyStep {
  /** The type of the step. */
  readonly type: 'prompt_create_passkey'
  /** The name that other steps refer to. */
  readonly name?: string
}

interface LinkingOverrides {
  /** For identities of providers. */
  readonly oauth?: readonly LinkingOverride[]
  /** For login IDs. */
  readonly login_id?: readonly LinkingOverride[]
}

interface LinkingOverride {
  /** The name of a rule of `account_linking`. */
  readonly name: string
  /** The action to take instead. */
  readonly action?: 'error' | 'login_and_link'
  /** The login flow to go through. Default: the one with the name of the sign-up. */
  readonly login_flow?: string
}

interface PromoteFlow {
  /** Letters, digits and `_`. `default` replaces the generated flow. */
  readonly name: string
  /** The steps of the flow. */
  readonly steps: readonly (
    | SignupIdentifyStep
    | SignupCreateAuthenticatorStep
    | VerifyStep
    | FillInUserProfileStep
    | ViewRecoveryCodeStep
    | PromptCreatePasskeyStep
  )[]
}

interface LoginFlow {
  /** Letters, digits and `_`. `default` replaces the generated flow. */
  readonly name: string
  /** The steps of the flow. */
  readonly steps: readonly (
    | LoginIdentifyStep
    | LoginAuthenticateStep
    | CheckAccountStatusStep
    | TerminateOtherSessionsStep
    | ChangePasswordStep
    | ViewRecoveryCodeStep
    | PromptCreatePasskeyStep
  )[]
}

interface LoginIdentifyStep {
  /** The type of the step. */
  readonly type: 'identify'
  /** The name that other steps refer to. */
  readonly name?: string
  /** The ways on, in the order in which they are offered. */
  readonly one_of: readonly LoginIdentifyBranch[]
}

interface LoginIdentifyBranch {
  /** One of `email`, `phone`, `username`, `oauth`, `passkey`, `ldap`, `id_token`, `select_account`, or your own. */
  readonly identification: string
  /** Whether a CAPTCHA is required here. */
  readonly bot_protection?: BranchBotProtection
  /** Run right after the step when this branch was taken. */
  readonly steps?: readonly (
    | LoginIdentifyStep
    | LoginAuthenticateStep
    | CheckAccountStatusStep
    | TerminateOtherSessionsStep
    | ChangePasswordStep
    | ViewRecoveryCodeStep
    | PromptCreatePasskeyStep
  )[]
}

interface LoginAuthenticateStep {
  /** The type of the step. */
  readonly type: 'authenticate'
  /** The name that other steps refer to. */
  readonly name?: string
  /** Whether it is skipped for users who have none of these. Default: `false`. */
  readonly optional?: boolean
  /** The ways on, in the order in which they are offered. */
  readonly one_of: readonly LoginAuthenticateBranch[]
}

interface LoginAuthenticateBranch {
  /** One of `primary_password`, `primary_passkey`, `primary_oob_otp_email`, `primary_oob_otp_sms`, `secondary_password`, `secondary_totp`, `secondary_oob_otp_email`, `secondary_oob_otp_sms`, `recovery_code`, `device_token`, or your own. */
  readonly authentication: string
  /** The step `identify` whose address codes go to. */
  readonly target_step?: string
  /** Whether a CAPTCHA is required here. */
  readonly bot_protection?: BranchBotProtection
  /** Run right after the step when this branch was taken. */
  readonly steps?: readonly (
    | LoginIdentifyStep
    | LoginAuthenticateStep
    | CheckAccountStatusStep
    | TerminateOtherSessionsStep
    | ChangePasswordStep
    | ViewRecoveryCodeStep
    | PromptCreatePasskeyStep
  )[]
}

interface CheckAccountStatusStep {
  /** The type of the step. */
  readonly type: 'check_account_status'
  /** The name that other steps refer to. */
  readonly name?: string
}

interface TerminateOtherSessionsStep {
  /** The type of the step. */
  readonly type: 'terminate_other_sessions'
  /** The name that other steps refer to. */
  readonly name?: string
}

interface ChangePasswordStep {
  /** The type of the step. */
  readonly type: 'change_password'
  /** The name that other steps refer to. */
  readonly name?: string
  /** A step `authenticate`. */
  readonly target_step: string
}

interface SignupLoginFlow {
  /** Letters, digits and `_`. `default` replaces the generated flow. */
  readonly name: string
  /** The steps of the flow. */
  readonly steps: readonly SignupLoginIdentifyStep[]
}

interface SignupLoginIdentifyStep {
  /** The type of the step. */
  readonly type: 'identify'
  /** The name that other steps refer to. */
  readonly name?: string
  /** The ways on, in the order in which they are offered. */
  readonly one_of: readonly SignupLoginIdentifyBranch[]
}

interface SignupLoginIdentifyBranch {
  /** One of `email`, `phone`, `username`, `oauth`, `passkey`, `ldap`, `id_token`, `select_account`, or your own. */
  readonly identification: string
  /** Whether a CAPTCHA is required here. */
  readonly bot_protection?: BranchBotProtection
  /** The flow for an unknown identity. Not needed where the identity must be known, as with `passkey`. */
  readonly signup_flow?: string
  /** The flow for a known identity. Required. */
  readonly login_flow?: string
}

interface ReauthFlow {
  /** Letters, digits and `_`. `default` replaces the generated flow. */
  readonly name: string
  /** The steps of the flow. */
  readonly steps: readonly (ReauthIdentifyStep | ReauthAuthenticateStep)[]
}

interface ReauthIdentifyStep {
  /** The type of the step. */
  readonly type: 'identify'
  /** The name that other steps refer to. */
  readonly name?: string
  /** The ways on, in the order in which they are offered. */
  readonly one_of: readonly ReauthIdentifyBranch[]
}

interface ReauthIdentifyBranch {
  /** One of `id_token`, or your own. */
  readonly identification: string
  /** Whether a CAPTCHA is required here. */
  readonly bot_protection?: BranchBotProtection
  /** Run right after the step when this branch was taken. */
  readonly steps?: readonly (ReauthIdentifyStep | ReauthAuthenticateStep)[]
}

interface ReauthAuthenticateStep {
  /** The type of the step. */
  readonly type: 'authenticate'
  /** The name that other steps refer to. */
  readonly name?: string
  /** Whether it is skipped for users who have none of these. Default: `false`. */
  readonly optional?: boolean
  /** The ways on, in the order in which they are offered. */
  readonly one_of: readonly ReauthAuthenticateBranch[]
}

interface ReauthAuthenticateBranch {
  /** One of `primary_password`, `primary_passkey`, `primary_oob_otp_email`, `primary_oob_otp_sms`, `secondary_password`, `secondary_totp`, `secondary_oob_otp_email`, `secondary_oob_otp_sms`, or your own. */
  readonly authentication: string
  /** The step `identify` whose address codes go to. */
  readonly target_step?: string
  /** Whether a CAPTCHA is required here. */
  readonly bot_protection?: BranchBotProtection
  /** Run right after the step when this branch was taken. */
  readonly steps?: readonly (ReauthIdentifyStep | ReauthAuthenticateStep)[]
}

interface RecoveryFlow {
  /** Letters, digits and `_`. `default` replaces the generated flow. */
  readonly name: string
  /** The steps of the flow. */
  readonly steps: readonly (
    | RecoveryIdentifyStep
    | SelectDestinationStep
    | VerifyAccountRecoveryCodeStep
    | ResetPasswordStep
  )[]
}

interface RecoveryIdentifyStep {
  /** The type of the step. */
  readonly type: 'identify'
  /** The name that other steps refer to. */
  readonly name?: string
  /** The ways on, in the order in which they are offered. */
  readonly one_of: readonly RecoveryIdentifyBranch[]
}

interface RecoveryIdentifyBranch {
  /** One of `email`, `phone`, `username`, or your own. */
  readonly identification: string
  /** Whether a CAPTCHA is required here. */
  readonly bot_protection?: BranchBotProtection
  /** Run right after the step when this branch was taken. */
  readonly steps?: readonly (
    | RecoveryIdentifyStep
    | SelectDestinationStep
    | VerifyAccountRecoveryCodeStep
    | ResetPasswordStep
  )[]
  /** How to treat an address without an account. Default: `ignore`. */
  readonly on_failure?: 'ignore' | 'error'
}

interface SelectDestinationStep {
  /** The type of the step. */
  readonly type: 'select_destination'
  /** The name that other steps refer to. */
  readonly name?: string
  /** Whether the addresses of the account are shown, masked. Default: `false`. */
  readonly enumerate_destinations?: boolean
  /** The allowed channels of the message. Default: `[{"channel":"email","otp_form":"link"},{"channel":"sms","otp_form":"code"}]`. */
  readonly allowed_channels?: readonly {
    /** The channel. */ readonly channel: 'email' | 'sms' | 'whatsapp'
    /** The content of a message: a code or a link. */
    readonly otp_form: 'code' | 'link'
  }[]
}

interface VerifyAccountRecoveryCodeStep {
  /** The type of the step. */
  readonly type: 'verify_account_recovery_code'
  /** The name that other steps refer to. */
  readonly name?: string
}

interface ResetPasswordStep {
  /** The type of the step. */
  readonly type: 'reset_password'
  /** The name that other steps refer to. */
  readonly name?: string
}

interface AuthBlockingHandler {
  /** The blocking event, as `user.pre_create`. */
  readonly event: string
  /** The URL that is asked. */
  readonly url: string
}

interface AuthEventHandler {
  /** The events, as `user.created`; `*` stands for all. */
  readonly events: readonly string[]
  /** The URL that receives them. */
  readonly url: string
}

/** The configuration of the authentication flow service as an object, with the keys of `authgear.yaml` that have an effect. Durations are texts such as `60s`, `5m` or `1h30m`. No secret stands in it.
 *
 * @see Authgear, `authgear.yaml` */

export interface AuthConfig {
  /** The id of the application. A change needs a restart. */
  readonly id: string
  /** How the service is reached. */
  readonly http: {
    /** The origin as browsers see it, such as `https://auth.example.com`. */
    readonly public_origin: string
    /** Where the routes begin, such as `/auth`. A change needs a restart. Default: at the root. */
    readonly base_path?: string
    /** Origins of other web pages that may call the service, as `https://app.example.com`, `app.example.com` or `https://*.example.com`. Default: none. */
    readonly allowed_origins?: readonly string[]
    /** The beginning of the names of cookies. */
    readonly cookie_prefix?: string
    /** The domain of cookies, which contains the public origin. Default: only that host. */
    readonly cookie_domain?: string
    /** Whether requests without TLS are accepted. Without it they are only where `public_origin` is `http:` on `localhost`, `127.0.0.1` or `[::1]`, from that machine, unless `NODE_ENV` is `production`. Default: `false`. */
    readonly allow_insecure?: boolean
  }
  /** How users sign in, and the rate limits. */
  readonly authentication?: {
    /** The identifications, in the order in which they are offered. `biometric` and `siwe` are never offered. Default: `["oauth","login_id"]`. */
    readonly identities?: readonly (
      | 'login_id'
      | 'oauth'
      | 'passkey'
      | 'anonymous'
      | 'biometric'
      | 'siwe'
      | 'ldap'
    )[]
    /** First factors, in the order in which they are offered. Default: `["password"]`. */
    readonly primary_authenticators?: readonly (
      | 'password'
      | 'passkey'
      | 'oob_otp_email'
      | 'oob_otp_sms'
    )[]
    /** Second factors, in the order in which they are offered. Default: `["totp"]`. */
    readonly secondary_authenticators?: readonly (
      | 'password'
      | 'oob_otp_email'
      | 'oob_otp_sms'
      | 'totp'
    )[]
    /** Whether a second factor is asked for: never, of users who have one, or always. Default: `if_exists`. */
    readonly secondary_authentication_mode?: 'disabled' | 'if_exists' | 'required'
    /** Further identifications whose generated logins ask for a second factor. Default: none. */
    readonly secondary_applies_to?: readonly ('oauth' | 'passkey' | 'select_account')[]
    /** How long users without a second factor are let in although one is required. */
    readonly secondary_authentication_grace_period?: {
      /** Whether they are let in. Default: `false`. */ readonly enabled?: boolean
      /** Until when, in RFC 3339. Default: it does not end. */
      readonly end_at?: string
    }
    /** Devices that need no second factor again. */
    readonly device_token?: {
      /** Whether no device is trusted. Default: `false`. */ readonly disabled?: boolean
      /** How long a device is trusted. Default: `30`. */
      readonly expire_in_days?: number
      /** Whether a changed password ends the trust in devices. Default: `true`. */
      readonly revoke_on_password_change?: boolean
      /** Whether an account recovery ends the trust in devices. Default: `true`. */
      readonly revoke_on_password_reset?: boolean
    }
    /** Recovery codes, for users who lost their second factor. */
    readonly recovery_code?: {
      /** Whether there are none. Default: `false`. */ readonly disabled?: boolean
      /** How many codes a user gets. Default: `16`. */
      readonly count?: number
    }
    /** Whether sign-up is closed. Default: `false`. */
    readonly public_signup_disabled?: boolean
    /** Where answers do not reveal whether an account exists. Default: `off`. */
    readonly enumeration_protection?: 'off' | 'login' | 'strict'
    /** Rate limits. */
    readonly rate_limits?: {
      /** The default of the others. */
      readonly general?: {
        /** By address. Default: `{"enabled":true,"period":"1m","burst":60}`. */
        readonly per_ip?: WrittenRateLimit
        /** By user and address. Default: `{"enabled":true,"period":"1m","burst":10}`. */
        readonly per_user_per_ip?: WrittenRateLimit
        /** By user, whatever the address. Default: `{"enabled":true,"period":"1h","burst":50}`. */
        readonly per_user?: WrittenRateLimit
      }
      /** Limits of attempts with a password. */
      readonly password?: WrittenAttemptLimits
      /** Limits of codes by message. */
      readonly oob_otp?: {
        /** For codes by email. */ readonly email?: WrittenOtpLimits
        /** For codes by SMS and WhatsApp. */
        readonly sms?: WrittenOtpLimits
      }
      /** Limits of attempts with TOTP; `per_user` holds for a day by default. */
      readonly totp?: WrittenAttemptLimits
      /** Limits of attempts with recovery codes; `per_user` holds for a day by default. */
      readonly recovery_code?: WrittenAttemptLimits
      /** Limits of attempts with device tokens. */
      readonly device_token?: WrittenAttemptLimits
      /** Limits of attempts with passkeys. */
      readonly passkey?: {
        /** By address. Default: as `general`. */ readonly per_ip?: WrittenRateLimit
      }
      /** Limits of sign-ups. */
      readonly signup?: {
        /** By address. Default: `{"enabled":true,"period":"1m","burst":10}`. */
        readonly per_ip?: WrittenRateLimit
      }
      /** Limits of sign-ups of guests. */
      readonly signup_anonymous?: {
        /** By address. Default: `{"enabled":true,"period":"1m","burst":60}`. */
        readonly per_ip?: WrittenRateLimit
      }
      /** Limits of requests that reveal whether an account exists. */
      readonly account_enumeration?: {
        /** By address. Default: `{"enabled":true,"period":"1m","burst":10}`. */
        readonly per_ip?: WrittenRateLimit
      }
    }
    /** When an account is locked. Default: never. */
    readonly lockout?: {
      /** How many failures lock an account; 0 for any number. Default: unlimited. */
      readonly max_attempts?: number
      /** How long failures count. `max_attempts` needs it. */
      readonly history_duration?: string
      /** How long the first lock lasts. `max_attempts` needs it. */
      readonly minimum_duration?: string
      /** How long a lock lasts at most. `max_attempts` needs it. */
      readonly maximum_duration?: string
      /** By how much each lock is longer than the one before. Default: 1. */
      readonly backoff_factor?: number
      /** Whose failures are counted together. `max_attempts` needs it. */
      readonly lockout_type?: 'per_user' | 'per_user_per_ip'
      /** Whether failures with a password count. Without any of the methods all count. */
      readonly password?: WrittenMethod
      /** Whether failures with TOTP count. Without any of the methods all count. */
      readonly totp?: WrittenMethod
      /** Whether failures with codes by message count. Without any of the methods all count. */
      readonly oob_otp?: WrittenMethod
      /** Whether failures with recovery codes count. Without any of the methods all count. */
      readonly recovery_code?: WrittenMethod
    }
  }
  /** How users are identified. */
  readonly identity?: {
    /** Login IDs: email addresses, phone numbers, usernames. */
    readonly login_id?: {
      /** Which login IDs there are. Default: `[{"type":"email"}]`. */
      readonly keys?: readonly {
        /** The type of login ID. */ readonly type: 'email' | 'phone' | 'username'
        /** The name that other settings refer to. Default: the type. */
        readonly key?: string
        /** In characters. Default: 320 for `email`, else 40. */
        readonly max_length?: number
        /** Whether users cannot add one to their account. Sign-ups offer it. Default: `false`. */
        readonly create_disabled?: boolean
        /** Whether users cannot change it. Default: `false`. */
        readonly update_disabled?: boolean
        /** Whether users cannot remove it. Default: `false`. */
        readonly delete_disabled?: boolean
        /** The older form of the three above. */
        readonly modify_disabled?: boolean
      }[]
      /** Rules for login IDs, by type. */
      readonly types?: {
        /** Email addresses. */
        readonly email?: {
          /** Whether capital and small letters differ. Default: `false`. */
          readonly case_sensitive?: boolean
          /** Whether `+` is refused. Default: `false`. */
          readonly block_plus_sign?: boolean
          /** Whether dots make no difference. Default: `false`. */
          readonly ignore_dot_sign?: boolean
          /** Whether listed domains are refused. Default: `false`. */
          readonly domain_blocklist_enabled?: boolean
          /** Whether only listed domains are accepted. Not together with lists of domains that are refused. Default: `false`. */
          readonly domain_allowlist_enabled?: boolean
          /** Whether domains of free providers are refused. Default: `false`. */
          readonly block_free_email_provider_domains?: boolean
          /** Whether domains of disposable addresses are refused. Default: `false`. */
          readonly block_disposable_email_domains?: boolean
        }
        /** User names. */
        readonly username?: {
          /** Whether reserved names are refused. Default: `true`. */
          readonly block_reserved_usernames?: boolean
          /** Whether names with listed words are refused. Default: `false`. */
          readonly exclude_keywords_enabled?: boolean
          /** Whether only ASCII characters are accepted. Default: `true`. */
          readonly ascii_only?: boolean
          /** Whether capital and small letters differ. Default: `false`. */
          readonly case_sensitive?: boolean
        }
      }
    }
    /** Sign-in by identity providers (OAuth, OpenID Connect, SSO). */
    readonly oauth?: {
      /** Identity providers. Their secrets are given in code. Default: none. */
      readonly providers?: readonly {
        /** The name that other settings and requests refer to. */ readonly alias: string
        /** Which provider it is. */
        readonly type:
          | 'google'
          | 'facebook'
          | 'github'
          | 'linkedin'
          | 'azureadv2'
          | 'azureadb2c'
          | 'adfs'
          | 'apple'
          | 'wechat'
          | 'oidc'
        /** Without it, no user can sign in with the provider. */
        readonly client_id?: string
        /** Required for `azureadv2` and `azureadb2c`. */
        readonly tenant?: string
        /** Required for `azureadb2c`. */
        readonly policy?: string
        /** Required for `adfs` and `oidc`. */
        readonly discovery_document_endpoint?: string
        /** Required for `apple`. */
        readonly team_id?: string
        /** Required for `apple`. */
        readonly key_id?: string
        /** For `wechat`. */
        readonly app_type?: 'web' | 'mobile'
        /** For `wechat`. */
        readonly account_id?: string
        /** For `wechat`. Default: `false`. */
        readonly is_sandbox_account?: boolean
        /** The scopes to ask for. Default: those of the type. */
        readonly scope_override?: readonly string[]
        /** Claims that the provider reports about users. */
        readonly claims?: {
          /** The address that the provider reports. */
          readonly email?: {
            /** Whether an address counts as proven. Default: `true`, for `oidc` and open tenants `false`. */
            readonly assume_verified?: boolean
            /** Whether a new account needs an email address. Default: `true`, for `oidc` and `wechat` `false`. */
            readonly required?: boolean
          }
        }
        /** Whether users cannot add one by themselves. Default: `false`. */
        readonly create_disabled?: boolean
        /** Whether users cannot remove it. Default: `false`. */
        readonly delete_disabled?: boolean
        /** The older form of the two above. */
        readonly modify_disabled?: boolean
        /** Whether only the subject is stored. Default: `false`. */
        readonly do_not_store_identity_attributes?: boolean
        /** Whether the provider is only tried, with credentials for demonstrations. Default: `use_project_credentials`. */
        readonly credentials_behavior?: 'use_project_credentials' | 'use_demo_credentials'
      }[]
      /** Where providers may send browsers back to. Default: anywhere that a flow says. */
      readonly allowed_redirect_uris?: readonly string[]
    }
    /** Directories that check passwords. */
    readonly ldap?: {
      /** The directories. */
      readonly servers?: readonly {
        /** The name that clients choose it by. Accounts keep it. */ readonly name: string
        /** Its address, such as `ldaps://directory.example.com`. */
        readonly url: string
        /** Whether an `ldap:` connection begins TLS at once. Default: `false`. */
        readonly start_tls?: boolean
        /** Users are searched for below this entry. */
        readonly search_base_dn?: string
        /** Authgear's name for `search_base_dn`. */
        readonly base_dn?: string
        /** The filter that finds a user, such as `(uid={{ .Username }})`. The name is escaped. */
        readonly search_filter_template: string
        /** The attribute with the permanent id of a user, such as `entryUUID` or `objectGUID`. */
        readonly user_id_attribute_name: string
        /** Claims of its users. */
        readonly claims?: {
          /** The email address. */
          readonly email?: {
            /** Whether the attribute `mail` is proven. Default: `true`. */
            readonly assume_verified?: boolean
          }
        }
      }[]
    }
    /** How to treat an identity that belongs to another account. */
    readonly on_conflict?: {
      /** How to treat a guest whose identity belongs to another account. Default: `error`. */
      readonly promotion?: 'error' | 'login'
    }
  }
  /** Tokens of other issuers that supply login IDs at a sign-up. */
  readonly external_jwt?: {
    /** The issuers. */
    readonly issuers?: readonly {
      /** The claim `iss` of its tokens. */ readonly iss: string
      /** The audience of its tokens, or a list: a token must be for one. Default: any audience, with a warning. */
      readonly aud?: string | readonly string[]
      /** Where it publishes its keys. Set this or `jwks`. */
      readonly jwks_uri?: string
      /** Its public keys, as a JWK Set. Set this or `jwks_uri`. */
      readonly jwks?: Readonly<Record<string, unknown>>
      /** How far its clock may differ, in seconds. Default: `300`. */
      readonly clock_skew_seconds?: number
      /** The names of the claims in its tokens. */
      readonly claims?: {
        /** The email address. Default: `email`. */ readonly email?: string
        /** Whether it is verified. Default: `email_verified`. */
        readonly email_verified?: string
        /** The phone number, as in E.164. Default: `phone_number`. */
        readonly phone_number?: string
        /** Whether it is verified. Default: `phone_number_verified`. */
        readonly phone_number_verified?: string
        /** The username. Default: `preferred_username`. */
        readonly preferred_username?: string
      }
    }[]
  }
  /** When a new identity is linked to an existing account. Default: never. */
  readonly account_linking?: {
    /** Rules for identities of providers. */
    readonly oauth?: readonly {
      /** The alias of a provider. */ readonly alias: string
      /** The claim of the new identity. */
      readonly oauth_claim: WrittenPointer
      /** The name that flows refer to. */
      readonly name?: string
      /** The claim of the account that is compared. */
      readonly user_profile: WrittenPointer
      /** Whether the identity is refused, or linked to the account after a login. Default: `error`. */
      readonly action?: 'error' | 'login_and_link'
    }[]
    /** Rules for login IDs. */
    readonly login_id?: readonly {
      /** One of `identity.login_id.keys`. */ readonly key: string
      /** The name that flows refer to. */
      readonly name?: string
      /** The claim of the account that is compared. */
      readonly user_profile: WrittenPointer
      /** Whether the identity is refused, or linked to the account after a login. Default: `error`. */
      readonly action?: 'error' | 'login_and_link'
    }[]
    /** Whether an address that the provider has not verified links too. Default: `false`. */
    readonly allow_unverified?: boolean
  }
  /** Which steps require a CAPTCHA. Default: none. */
  readonly bot_protection?: {
    /** Whether bots are kept out. Default: `false`. */ readonly enabled?: boolean
    /** The provider that tells people from bots. Its secret is given in code. `enabled` has no effect without it. */
    readonly provider?: {
      /** As `cloudflare` or `recaptchav2`. */ readonly type: string
      /** The public key, for pages. */
      readonly site_key?: string
    } | null
    /** Where a response of the provider is needed. */
    readonly requirements?: {
      /** Whether it is needed to sign up and to log in. */
      readonly signup_or_login?: WrittenRequirement
      /** Whether it is needed to recover an account. */
      readonly account_recovery?: WrittenRequirement
      /** Whether it is needed with a password. */
      readonly password?: WrittenRequirement
      /** Whether it is needed for codes by email. */
      readonly oob_otp_email?: WrittenRequirement
      /** Whether it is needed for codes by SMS and WhatsApp. */
      readonly oob_otp_sms?: WrittenRequirement
    }
  }
  /** Passwords, codes and other authenticators. */
  readonly authenticator?: {
    /** Passwords. */
    readonly password?: {
      /** The policy for new passwords. */
      readonly policy?: {
        /** The least number of characters. Default: `8`. */ readonly min_length?: number
        /** Whether a capital letter is needed. Default: `false`. */
        readonly uppercase_required?: boolean
        /** Whether a small letter is needed. Default: `false`. */
        readonly lowercase_required?: boolean
        /** Whether a letter is needed. Default: `false`. */
        readonly alphabet_required?: boolean
        /** Whether a digit is needed. Default: `false`. */
        readonly digit_required?: boolean
        /** Whether a symbol is needed. Default: `false`. */
        readonly symbol_required?: boolean
        /** How hard to guess, from 0 (any) to 5. More than 0 needs the option `passwordStrength`. Default: `0`. */
        readonly minimum_guessable_level?: number
        /** Words that no password may contain. Default: none. */
        readonly excluded_keywords?: readonly string[]
        /** How many earlier passwords cannot be used again. Default: `0`. */
        readonly history_size?: number
        /** For how many days earlier passwords cannot be used again. Default: `0`. */
        readonly history_days?: number
      }
      /** Whether a password that the policy no longer allows must be changed at the next login. Default: `true`. */
      readonly force_change?: boolean
      /** Whether passwords expire. */
      readonly expiry?: {
        /** The age at which passwords expire. */
        readonly force_change?: {
          /** Whether an old password must be changed at the login. Default: `false`. */
          readonly enabled?: boolean
          /** How old a password may be. Needed with `enabled`. */
          readonly duration_since_last_update?: string
        }
      }
    }
    /** Codes of authenticator apps (TOTP). */
    readonly totp?: {
      /** How many of them a user may have. Default: `99`. */ readonly maximum?: number
      /** The issuer that authenticator apps show. Default: the host of the public origin. */
      readonly issuer?: string
    }
    /** Codes by message. */
    readonly oob_otp?: {
      /** Codes by email. */
      readonly email?: {
        /** How many of them a user may have. Default: `99`. */ readonly maximum?: number
        /** How long codes and links are good. */
        readonly valid_periods?: WrittenPeriods
        /** The older form of `valid_periods`. */
        readonly code_valid_period?: string
        /** The content of an email: a code or a link. Default: `code`. */
        readonly email_otp_mode?: 'code' | 'login_link'
      }
      /** Codes by SMS and WhatsApp. */
      readonly sms?: {
        /** How many of them a user may have. Default: `99`. */ readonly maximum?: number
        /** How long codes and links are good. */
        readonly valid_periods?: WrittenPeriods
        /** The older form of `valid_periods`. */
        readonly code_valid_period?: string
        /** The channel of a code. Default: `whatsapp_sms`. */
        readonly phone_otp_mode?: 'sms' | 'whatsapp_sms' | 'whatsapp'
      }
    }
  }
  /** How addresses are proven. */
  readonly verification?: {
    /** Which addresses are proven. */
    readonly claims?: {
      /** Email addresses. */
      readonly email?: {
        /** Whether addresses can be proven. Default: `true`. */ readonly enabled?: boolean
        /** Whether a sign-up needs it. Default: `true`. */
        readonly required?: boolean
        /** The content of a message: a code or a link. Default: `code`. */
        readonly otp_form?: 'code' | 'link'
      }
      /** Phone numbers. */
      readonly phone_number?: {
        /** Whether addresses can be proven. Default: `true`. */ readonly enabled?: boolean
        /** Whether a sign-up needs it. Default: `true`. */
        readonly required?: boolean
      }
    }
    /** Whether any or all addresses make a user `is_verified`. Default: `any`. */
    readonly criteria?: 'any' | 'all'
    /** How long a code is good. Default: `5m`. */
    readonly code_valid_period?: string
    /** The older form of `code_valid_period`. */
    readonly code_expiry_seconds?: number
    /** Limits of codes by message. */
    readonly rate_limits?: {
      /** For codes by email. */ readonly email?: WrittenVerificationLimits
      /** For codes by SMS and WhatsApp. */
      readonly sms?: WrittenVerificationLimits
    }
  }
  /** Account recovery. */
  readonly forgot_password?: {
    /** Whether accounts can be recovered. Default: `true`. */ readonly enabled?: boolean
    /** How long codes and links are good. */
    readonly valid_periods?: WrittenPeriods
    /** The older form of `valid_periods`. */
    readonly code_valid_period?: string
    /** An older form of `valid_periods`. */
    readonly reset_code_expiry_seconds?: number
    /** Whether an account recovery ends all sessions. Default: `true`. */
    readonly revoke_sessions?: boolean
    /** Whether an account recovery unlocks the account. Default: `false`. */
    readonly reset_lockout?: boolean
    /** Limits of codes by message. */
    readonly rate_limits?: {
      /** For codes by email. */ readonly email?: WrittenRecoveryLimits
      /** For codes by SMS and WhatsApp. */
      readonly sms?: WrittenRecoveryLimits
    }
  }
  /** The lifetime of sessions. */
  readonly session?: {
    /** How long a session lasts, in seconds. The default is 52 weeks. Default: `31449600`. */
    readonly lifetime_seconds?: number
    /** Whether a session that is not used ends. Default: `true`. */
    readonly idle_timeout_enabled?: boolean
    /** After which time without use, in seconds. The default is 30 days. Default: `2592000`. */
    readonly idle_timeout_seconds?: number
    /** Whether the cookie goes away when the browser is closed. Default: `false`. */
    readonly use_session_cookie?: boolean
    /** Authgear's name for `use_session_cookie`. */
    readonly cookie_non_persistent?: boolean
    /** Whether a changed password ends all other sessions. Default: `true`. */
    readonly revoke_on_password_change?: boolean
  }
  /** Access and refresh tokens for apps and other services. Default: programs get none. */
  readonly tokens?: {
    /** How long an access token is valid, in seconds. Other services accept it so long, even after its session has ended. Default: `600`. */
    readonly access_token_lifetime_seconds?: number
    /** How long a refresh token may stay unused, in seconds. It ends with its session in any case. Default: `2592000`. */
    readonly refresh_token_lifetime_seconds?: number
    /** How long a replaced refresh token may be sent once more, in seconds, since the answer may have been lost. Later, it ends the session. Default: `10`. */
    readonly refresh_token_leeway_seconds?: number
    /** Which services access tokens are for. Default: `http.public_origin`. */
    readonly audience?: readonly string[]
    /** After how many days a new key signs. Default: `90`. */
    readonly signing_key_rotation_days?: number
  }
  /** Keys with which programs call your routes, for people or as services. Default: there are none. */
  readonly api_keys?: {
    /** What keys may be used for, as `orders:read`. */ readonly scopes: readonly string[]
    /** Which of them people may give keys that they make on the account page. Default: people make no keys. */
    readonly own_scopes?: readonly string[]
    /** How many keys a user or a service can have. Default: `20`. */
    readonly max_per_owner?: number
    /** After how many days a key expires at the latest. Default: it lasts until it is revoked. */
    readonly max_lifetime_days?: number
    /** How often keys are tried. */
    readonly rate_limits?: {
      /** Wrong keys, by address. More get 429 in place of 401. Right keys are not held up. Default: `{"enabled":true,"period":"1m","burst":60}`. */
      readonly wrong_per_ip?: WrittenRateLimit
    }
  }
  /** User profiles: standard and custom attributes. */
  readonly user_profile?: {
    /** Attributes that any user may have. */
    readonly standard_attributes?: {
      /** How they are filled in. */
      readonly population?: {
        /** Whether a sign-up takes over what an identity provider reports. Default: `on_signup`. */
        readonly strategy?: 'none' | 'on_signup'
      }
    }
    /** Attributes of your own. */
    readonly custom_attributes?: {
      /** The attributes. Default: none. */
      readonly attributes?: readonly {
        /** The key of the stored value. */ readonly id: string
        /** Its JSON pointer, such as `/x_height`. */
        readonly pointer: string
        /** The type of its values. */
        readonly type:
          | 'string'
          | 'number'
          | 'integer'
          | 'enum'
          | 'phone_number'
          | 'email'
          | 'url'
          | 'country_code'
        /** The least number. Default: any. */
        readonly minimum?: number
        /** The largest number. Default: any. */
        readonly maximum?: number
        /** The values of the type `enum`, which needs it. */
        readonly enum?: readonly string[]
      }[]
    }
  }
  /** The client applications. */
  readonly oauth?: {
    /** The applications. Default: none. */
    readonly clients?: readonly {
      /** The id that requests use. */ readonly client_id: string
      /** Where a browser may be sent back to. Default: nowhere. */
      readonly redirect_uris?: readonly string[]
      /** 1: a sign-in ends the other sessions of the user, who confirms it. 0: any number of sessions. Default: `0`. */
      readonly x_max_concurrent_session?: number
      /** The flows that the client may use. Default: all. */
      readonly x_authentication_flow_allowlist?: {
        /** Groups of `ui.authentication_flow`. */
        readonly groups?: readonly {
          /** The name of the group. */ readonly name: string
        }[]
        /** Flows. */
        readonly flows?: readonly AuthFlowName[]
      }
    }[]
  }
  /** The flows that are declared. */
  readonly authentication_flow?: AuthFlows
  /** Settings of sign-in pages. */
  readonly ui?: {
    /** Whether users may decline a passkey for good. Default: `false`. */
    readonly passkey_upselling_opt_out_enabled?: boolean
    /** The channels of account recovery. */
    readonly forgot_password?: {
      /** For users with an email address. Default: `[{"channel":"email","otp_form":"link"}]`. */
      readonly email?: readonly {
        /** The channel. */ readonly channel: 'email' | 'sms' | 'whatsapp'
        /** The content of a message: a code or a link. */
        readonly otp_form: 'code' | 'link'
      }[]
      /** For users with a phone number. Default: `[{"channel":"sms","otp_form":"code"}]`. */
      readonly phone?: readonly {
        /** The channel. */ readonly channel: 'email' | 'sms' | 'whatsapp'
        /** The content of a message: a code or a link. */
        readonly otp_form: 'code' | 'link'
      }[]
    }
    /** Which phone numbers are accepted. */
    readonly phone_input?: {
      /** Countries as two capital letters. Default: all. */ readonly allowlist?: readonly string[]
      /** How numbers are checked. */
      readonly validation?: {
        /** The only one. */ readonly implementation?: 'libphonenumber'
        /** Settings of libphonenumber. */
        readonly libphonenumber?: {
          /** How strictly numbers are checked. Default: `isValidNumber`. */
          readonly validation_method?: 'isValidNumber' | 'isPossibleNumber'
        }
      }
    }
    /** Groups of flows. */
    readonly authentication_flow?: {
      /** Groups of flows, for the lists of clients. Default: none. */
      readonly groups?: readonly {
        /** The name that clients refer to. */ readonly name: string
        /** Its flows. */
        readonly flows: readonly AuthFlowName[]
      }[]
    }
  }
  /** Messages to users. */
  readonly messaging?: {
    /** How many messages are sent. */
    readonly rate_limits?: {
      /** Messages by SMS and WhatsApp, by address. Default: `{"enabled":true,"period":"1m","burst":60}`. */
      readonly sms_per_ip?: WrittenRateLimit
      /** Messages by SMS and WhatsApp, by number. Default: `{"enabled":true,"period":"1h","burst":10}`. */
      readonly sms_per_target?: WrittenRateLimit
      /** Emails, by address. Default: `{"enabled":true,"period":"1m","burst":200}`. */
      readonly email_per_ip?: WrittenRateLimit
      /** Emails, by who gets them. Default: `{"enabled":true,"period":"24h","burst":50}`. */
      readonly email_per_target?: WrittenRateLimit
      /** All messages by SMS and WhatsApp. Default: `{"enabled":false}`. */
      readonly sms?: WrittenRateLimit
      /** All emails. Default: `{"enabled":false}`. */
      readonly email?: WrittenRateLimit
    }
    /** Mails about changes of an account, and new sign-ins. */
    readonly notices?: {
      /** Whether people are told of a sign-in with a browser or from a network that they have not used before. Default: `true`. */
      readonly new_sign_in?: boolean
      /** Whether people are told of a new password. Default: `true`. */
      readonly password_changed?: boolean
      /** Whether people are told of a new or removed email address or phone number; a former address is told, too. Default: `true`. */
      readonly address_changed?: boolean
      /** Whether people are told of a new or removed authenticator, passkey or provider, and of new recovery codes. Default: `true`. */
      readonly factor_changed?: boolean
      /** Whether people are told of a new API key of theirs. Default: `true`. */
      readonly api_key_created?: boolean
      /** Whether people are told that an operator acts as them. Default: `false`. */
      readonly impersonated?: boolean
      /** Whether people are told that the deletion of their account was scheduled; the mail leads to a page that keeps it. Default: `true`. */
      readonly deletion_scheduled?: boolean
    }
  }
  /** The languages of messages and of the pages that their links lead to. */
  readonly localization?: {
    /** The language of messages to people whose languages are not available. Default: `en`. */
    readonly fallback_language?: string
    /** The only languages of messages. Default: all that there are texts in. */
    readonly supported_languages?: readonly string[]
  }
  /** The deletion of accounts by their users. */
  readonly account_deletion?: {
    /** Whether users can delete their own accounts. Default: `false`. */
    readonly scheduled_by_end_user_enabled?: boolean
    /** How many days users have to change their mind: a sign-in offers to keep the account. Default: `30`. */
    readonly grace_period_days?: number
  }
  /** Invitations to sign up. They need `links.invitation`. */
  readonly invitations?: {
    /** How many days an invitation is good. Default: `7`. */ readonly lifetime_days?: number
  }
  /** Pages of your own that messages lead to. */
  readonly links?: {
    /** The link in `login_link` messages: an absolute URL that contains `{code}`. */
    readonly verify_login_link?: string
    /** The link in account recovery messages: an absolute URL that contains `{code}`. */
    readonly reset_password?: string
    /** The link in invitations: an absolute URL of a sign-up page that contains `{code}`, as `https://app.example.com/signup?x_invitation={code}`. Default: nobody can be invited. */
    readonly invitation?: string
    /** Where mails about a change of an account lead people who did not make it. Default: the mails say what to do. */
    readonly not_me?: string
  }
  /** Codes that are known in advance, and messages that are not sent. Default: none. */
  readonly test_mode?: {
    /** Codes that are known in advance. */
    readonly oob_otp?: {
      /** Whether the rules count. Default: `false`. */ readonly enabled?: boolean
      /** The rules. */
      readonly rules?: readonly {
        /** A pattern in RE2 syntax that finds addresses. */ readonly regex: string
        /** The code, also of links: any text. Default: a random code, as without the rule. */
        readonly fixed_code?: string
      }[]
    }
    /** Which emails are not sent. */
    readonly email?: {
      /** Whether the rules count. Default: `false`. */ readonly enabled?: boolean
      /** The rules. */
      readonly rules?: readonly {
        /** A pattern in RE2 syntax that finds addresses. */ readonly regex: string
        /** Whether nothing is sent. Default: `false`. */
        readonly suppressed?: boolean
      }[]
    }
    /** Which messages by SMS are not sent. */
    readonly sms?: {
      /** Whether the rules count. Default: `false`. */ readonly enabled?: boolean
      /** The rules. */
      readonly rules?: readonly {
        /** A pattern in RE2 syntax that finds addresses. */ readonly regex: string
        /** Whether nothing is sent. Default: `false`. */
        readonly suppressed?: boolean
      }[]
    }
    /** Which messages by WhatsApp are not sent. */
    readonly whatsapp?: {
      /** Whether the rules count. Default: `false`. */ readonly enabled?: boolean
      /** The rules. */
      readonly rules?: readonly {
        /** A pattern in RE2 syntax that finds addresses. */ readonly regex: string
        /** Whether nothing is sent. Default: `false`. */
        readonly suppressed?: boolean
      }[]
    }
  }
  /** Webhooks for events, and how long hooks may take. */
  readonly hook?: {
    /** Webhooks that may refuse or change an operation, asked in this order. Default: none. */
    readonly blocking_handlers?: readonly AuthBlockingHandler[]
    /** Webhooks that receive events. Default: none. */
    readonly non_blocking_handlers?: readonly AuthEventHandler[]
    /** How long one hook may take. Default: `5`. */
    readonly sync_hook_timeout_seconds?: number
    /** How long all hooks of an event may take. Default: `10`. */
    readonly sync_hook_total_timeout_seconds?: number
  }
}
