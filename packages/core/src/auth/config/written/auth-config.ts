import type { AuthFlowName, AuthFlows } from './auth-flows.ts'
import type { WrittenAuthentication } from './authentication.ts'
import type { WrittenAuthenticator } from './authenticator.ts'
import type { WrittenAccountLinking, WrittenIdentity } from './identity.ts'
import type { WrittenRateLimit } from './rate-limits.ts'
import type { WrittenForgotPassword, WrittenVerification } from './verification.ts'

/**
 * The configuration of the authentication flow service as an object, with the keys of `authgear.yaml` that have an effect. Durations are
 * texts such as `60s`, `5m` or `1h30m`. No secret stands in it.
 *
 * @see Authgear, `authgear.yaml`
 */
export interface AuthConfig {
  /** The id of the application. A change needs a restart. */
  readonly id: string
  readonly http: WrittenHttp
  /** By what people sign in, and how often they may try. */
  readonly authentication?: WrittenAuthentication
  /** By what people are known. */
  readonly identity?: WrittenIdentity
  /** When an identity that comes in is taken for one of an account that is there (default: never). */
  readonly account_linking?: WrittenAccountLinking
  /** Where machines are kept out (default: nowhere). */
  readonly bot_protection?: WrittenBotProtection
  /** What passwords and codes are like. */
  readonly authenticator?: WrittenAuthenticator
  /** How addresses are proven. */
  readonly verification?: WrittenVerification
  /** How people get back in. */
  readonly forgot_password?: WrittenForgotPassword
  readonly session?: WrittenSession
  readonly user_profile?: WrittenUserProfile
  /** The applications that sign people in. */
  readonly oauth?: { readonly clients?: readonly WrittenClient[] }
  /** The flows that are declared. */
  readonly authentication_flow?: AuthFlows
  /** What pages ask people. */
  readonly ui?: WrittenUi
  readonly messaging?: { readonly rate_limits?: WrittenMessageLimits }
  /** Pages of your own that messages lead to. */
  readonly links?: WrittenLinks
  /** Codes that are known beforehand, and messages that are not sent (default none). */
  readonly test_mode?: WrittenTestMode
  /** How long hooks may take. */
  readonly hook?: WrittenHook
}

/** How the service is reached. */
interface WrittenHttp {
  /** As browsers see it, such as `https://auth.example.com`. */
  readonly public_origin: string
  /** Where the routes begin, such as `/auth` (default: at the root). A change needs a restart. */
  readonly base_path?: string
  /** Origins of other web pages that may call the service (default none). */
  readonly allowed_origins?: readonly string[]
  /** What the names of cookies begin with (default: nothing). */
  readonly cookie_prefix?: string
  /** The domain of cookies, which holds the public origin (default: that host alone). */
  readonly cookie_domain?: string
  /** How many proxies in front are believed; `true` is one (default 0). */
  readonly trust_proxy?: number | boolean
  /** Whether requests without TLS are let in (default `false`). */
  readonly allow_insecure?: boolean
}

interface WrittenRequirement {
  /** Default `never`. */
  readonly mode?: 'never' | 'always'
}

interface WrittenBotProtection {
  /** Default `false`. */
  readonly enabled?: boolean
  /** Who tells people from machines. Its secret is given in code. */
  readonly provider?: {
    /** As `cloudflare` or `recaptchav2`. */
    readonly type: string
    /** The public key, for pages. */
    readonly site_key?: string
  }
  /** Where a response of the provider is needed. */
  readonly requirements?: {
    readonly signup_or_login?: WrittenRequirement
    readonly account_recovery?: WrittenRequirement
    readonly password?: WrittenRequirement
    readonly oob_otp_email?: WrittenRequirement
    readonly oob_otp_sms?: WrittenRequirement
  }
}

interface WrittenSession {
  /** In seconds (default 31449600: 52 weeks). */
  readonly lifetime_seconds?: number
  /** Whether a session that is not used ends (default `true`). */
  readonly idle_timeout_enabled?: boolean
  /** In seconds (default 2592000: 30 days). */
  readonly idle_timeout_seconds?: number
  /** Whether the cookie goes away when the browser is closed (default `false`). */
  readonly use_session_cookie?: boolean
  /** Whether a changed password ends all other sessions (default `true`). */
  readonly revoke_on_password_change?: boolean
}

interface WrittenUserProfile {
  readonly standard_attributes?: {
    /** Whether a sign-up takes over what an identity provider says (default `on_signup`). */
    readonly population?: { readonly strategy?: 'none' | 'on_signup' }
  }
  /** Attributes of your own (default none). */
  readonly custom_attributes?: { readonly attributes?: readonly WrittenAttribute[] }
}

interface WrittenAttribute {
  readonly id: string
  /** As `/x_height`. */
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
  /** Of a number (default: none). */
  readonly minimum?: number
  /** Of a number (default: none). */
  readonly maximum?: number
  /** The values that the type `enum` has. */
  readonly enum?: readonly string[]
}

interface WrittenClient {
  readonly client_id: string
  /** Where a browser may be sent back to (default none). */
  readonly redirect_uris?: readonly string[]
  /** 1: at a sign-in the other sessions of the user end, which the user confirms (default 0: any number). */
  readonly x_max_concurrent_session?: 0 | 1
  /** The flows that the client may use (default: all). */
  readonly x_authentication_flow_allowlist?: {
    /** Groups of `ui.authentication_flow`. */
    readonly groups?: readonly { readonly name: string }[]
    readonly flows?: readonly AuthFlowName[]
  }
}

interface WrittenUi {
  /** Whether people may say that they want no passkey (default `false`). */
  readonly passkey_upselling_opt_out_enabled?: boolean
  /** By what account recovery reaches people. */
  readonly forgot_password?: {
    /** Default: a link. */
    readonly email?: readonly { readonly channel: 'email'; readonly otp_form: 'code' | 'link' }[]
    /** Default: a code by SMS. */
    readonly phone?: readonly {
      readonly channel: 'sms' | 'whatsapp'
      readonly otp_form: 'code' | 'link'
    }[]
  }
  readonly phone_input?: {
    /** Countries as two capital letters (default: all). */
    readonly allowlist?: readonly string[]
    readonly validation?: {
      readonly implementation?: 'libphonenumber'
      readonly libphonenumber?: {
        /** Default `isValidNumber`. */
        readonly validation_method?: 'isValidNumber' | 'isPossibleNumber'
      }
    }
  }
  /** Groups of flows, for the lists of clients (default none). */
  readonly authentication_flow?: {
    readonly groups?: readonly { readonly name: string; readonly flows: readonly AuthFlowName[] }[]
  }
}

interface WrittenMessageLimits {
  /** Default 60 in `1m`. */
  readonly sms_per_ip?: WrittenRateLimit
  /** Default 10 in `1h`. */
  readonly sms_per_target?: WrittenRateLimit
  /** Default 200 in `1m`. */
  readonly email_per_ip?: WrittenRateLimit
  /** Default 50 in `24h`. */
  readonly email_per_target?: WrittenRateLimit
  /** Default: none. */
  readonly sms?: WrittenRateLimit
  /** Default: none. */
  readonly email?: WrittenRateLimit
}

/** Absolute URLs with `{code}` in them. */
interface WrittenLinks {
  /** What `login_link` messages hold (default: none). */
  readonly verify_login_link?: string
  /** What messages of account recovery hold (default: none). */
  readonly reset_password?: string
}

/** Rules for addresses that a pattern in RE2 syntax finds. */
interface WrittenTestRules<Rule> {
  /** Default `false`. */
  readonly enabled?: boolean
  readonly rules?: readonly Rule[]
}

interface WrittenSendingRule {
  readonly regex: string
  /** Whether nothing is sent (default `false`). */
  readonly suppressed?: boolean
}

interface WrittenTestMode {
  /** Codes of six digits that are known beforehand. */
  readonly oob_otp?: WrittenTestRules<{ readonly regex: string; readonly fixed_code: string }>
  readonly email?: WrittenTestRules<WrittenSendingRule>
  readonly sms?: WrittenTestRules<WrittenSendingRule>
  readonly whatsapp?: WrittenTestRules<WrittenSendingRule>
}

interface WrittenHook {
  /** How long one hook may take (default 5). */
  readonly sync_hook_timeout_seconds?: number
  /** How long all hooks of an event may take (default 10). */
  readonly sync_hook_total_timeout_seconds?: number
}
