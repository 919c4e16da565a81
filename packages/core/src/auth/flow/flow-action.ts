// Written by scripts/write-schemas.mjs; the schemas in `api/` are where to change it.

/** Prove who you are. */
export interface AuthenticateAction {
  readonly type: 'authenticate'
  readonly data: {
    readonly type: 'authentication_data'
    readonly options: readonly AuthenticateOption[]
    /** Whether the input may ask to trust this device. */
    readonly device_token_enabled: boolean
  }
}

/** One way to prove who one is. */
export type AuthenticateOption =
  | PasswordOption
  | PasskeyAuthenticationOption
  | OobOtpOption
  | CodeOption

/** The name of an authentication. */
export type AuthenticationName =
  | 'primary_password'
  | 'secondary_password'
  | 'primary_passkey'
  | 'primary_oob_otp_email'
  | 'primary_oob_otp_sms'
  | 'secondary_oob_otp_email'
  | 'secondary_oob_otp_sms'
  | 'secondary_totp'
  | 'recovery_code'
  | 'device_token'

/** Choose another password. */
export interface ChangePasswordAction {
  readonly type: 'change_password'
  readonly data: {
    readonly type: 'new_password_data'
    readonly password_policy: PasswordPolicy
    readonly force_change_reason?: 'policy' | 'expiry'
  }
}

/** How a code or link is sent. */
export type Channel = 'email' | 'sms' | 'whatsapp'

/** By a code of an authenticator app, or a recovery code. */
export interface CodeOption {
  readonly authentication: 'secondary_totp' | 'recovery_code'
  /** Present if the input must carry a `bot_protection`. */
  readonly bot_protection?: {
    readonly enabled: true
    readonly provider: {
      /** As `recaptchav2` or `cloudflare`. */ readonly type: string
    }
  }
}

/** Set up an authenticator. */
export interface CreateAuthenticatorAction {
  readonly type: 'create_authenticator' | 'authenticate'
  readonly data: {
    readonly type: 'create_authenticator_data'
    readonly options: readonly CreateAuthenticatorOption[]
  }
}

/** One authenticator that can be set up. */
export type CreateAuthenticatorOption = CreatePasswordOption | CreateOobOtpOption | CreateTotpOption

/** Codes or links that are sent. */
export interface CreateOobOtpOption {
  readonly authentication:
    | 'primary_oob_otp_email'
    | 'primary_oob_otp_sms'
    | 'secondary_oob_otp_email'
    | 'secondary_oob_otp_sms'
  readonly otp_form: OtpForm
  /** If there are several, the input names one. */
  readonly channels: readonly Channel[]
  /** Absent if the input names the address. */
  readonly target?: {
    readonly masked_display_name: string
    readonly verification_required: boolean
  }
  /** Present if the input must carry a `bot_protection`. */
  readonly bot_protection?: {
    readonly enabled: true
    readonly provider: {
      /** As `recaptchav2` or `cloudflare`. */ readonly type: string
    }
  }
}

/** Create a passkey, or decline. */
export interface CreatePasskeyAction {
  readonly type: 'prompt_create_passkey'
  readonly data: {
    readonly type: 'create_passkey_data'
    readonly creation_options: PasskeyCreationOptions
    readonly allow_do_not_ask_again?: true
  }
}

/** A password. */
export interface CreatePasswordOption {
  readonly authentication: 'primary_password' | 'secondary_password'
  readonly password_policy: PasswordPolicy
  /** Present if the input must carry a `bot_protection`. */
  readonly bot_protection?: {
    readonly enabled: true
    readonly provider: {
      /** As `recaptchav2` or `cloudflare`. */ readonly type: string
    }
  }
}

/** Add the secret to an authenticator app, and send its first code. */
export interface CreateTotpAction {
  readonly type: 'create_authenticator' | 'authenticate'
  readonly authentication: 'secondary_totp'
  readonly data: {
    readonly type: 'create_totp_data'
    /** Base32. */
    readonly secret: string
    readonly otpauth_uri: string
  }
}

/** An authenticator app. */
export interface CreateTotpOption {
  readonly authentication: 'secondary_totp'
  /** Present if the input must carry a `bot_protection`. */
  readonly bot_protection?: {
    readonly enabled: true
    readonly provider: {
      /** As `recaptchav2` or `cloudflare`. */ readonly type: string
    }
  }
}

/** Fill in the profile. The configuration says which attributes. */
export interface FillInProfileAction {
  readonly type: 'fill_in_user_profile'
  readonly data: Readonly<Record<string, never>>
}

/** The flow has ended. */
export interface FinishedAction {
  readonly type: 'finished'
  readonly data: {
    /** Where the browser continues, if the flow serves an authorization request. */
    readonly finish_redirect_uri?: string
  }
}

/** What a flow asks for. `type` is the step, `data.type` distinguishes its prompts. */
export type FlowAction =
  | IdentifyAction
  | RecoveryIdentifyAction
  | LinkAccountAction
  | ProviderAction
  | AuthenticateAction
  | CreateAuthenticatorAction
  | CreateTotpAction
  | SelectChannelAction
  | VerifyOtpAction
  | ViewRecoveryCodeAction
  | CreatePasskeyAction
  | ChangePasswordAction
  | ResetPasswordAction
  | SelectDestinationAction
  | VerifyRecoveryCodeAction
  | FillInProfileAction
  | TerminateOtherSessionsAction
  | FinishedAction

/** By an ID token of the app. */
export interface IdTokenOption {
  readonly identification: 'id_token'
  /** Present if the input must carry a `bot_protection`. */
  readonly bot_protection?: {
    readonly enabled: true
    readonly provider: {
      /** As `recaptchav2` or `cloudflare`. */ readonly type: string
    }
  }
}

/** The name of an identification. */
export type IdentificationName =
  | 'email'
  | 'phone'
  | 'username'
  | 'oauth'
  | 'passkey'
  | 'select_account'
  | 'id_token'
  | 'ldap'

/** Say who you are. */
export interface IdentifyAction {
  readonly type: 'identify'
  readonly data: {
    readonly type: 'identification_data'
    readonly options: readonly IdentifyOption[]
  }
}

/** One way to say who one is. */
export type IdentifyOption =
  | LoginIdOption
  | ProviderOption
  | PasskeyOption
  | SelectAccountOption
  | IdTokenOption
  | LdapOption

/** By name and password of a directory. */
export interface LdapOption {
  readonly identification: 'ldap'
  readonly server_name: string
  /** Present if the input must carry a `bot_protection`. */
  readonly bot_protection?: {
    readonly enabled: true
    readonly provider: {
      /** As `recaptchav2` or `cloudflare`. */ readonly type: string
    }
  }
}

/** An account with the same address exists: sign in to it. */
export interface LinkAccountAction {
  readonly type: 'identify'
  readonly identification: IdentificationName
  readonly data: {
    readonly type: 'account_linking_identification_data'
    readonly options: readonly LinkAccountOption[]
  }
}

/** One way to sign in to the existing account. */
export type LinkAccountOption = PlainLinkingOption | ProviderLinkingOption

/** By an email address, a phone number or a username. */
export interface LoginIdOption {
  readonly identification: 'email' | 'phone' | 'username'
  /** Present if the input must carry a `bot_protection`. */
  readonly bot_protection?: {
    readonly enabled: true
    readonly provider: {
      /** As `recaptchav2` or `cloudflare`. */ readonly type: string
    }
  }
}

/** By a code or link that is sent. */
export interface OobOtpOption {
  readonly authentication:
    | 'primary_oob_otp_email'
    | 'primary_oob_otp_sms'
    | 'secondary_oob_otp_email'
    | 'secondary_oob_otp_sms'
  readonly masked_display_name: string
  readonly otp_form: OtpForm
  /** If there are several, the input names one. */
  readonly channels: readonly Channel[]
  /** Present if the input must carry a `bot_protection`. */
  readonly bot_protection?: {
    readonly enabled: true
    readonly provider: {
      /** As `recaptchav2` or `cloudflare`. */ readonly type: string
    }
  }
}

/** What is sent: a code to type, or a link to open. */
export type OtpForm = 'code' | 'link'

/** By a passkey of the user. */
export interface PasskeyAuthenticationOption {
  readonly authentication: 'primary_passkey'
  readonly request_options: PasskeyRequestOptions
  /** Present if the input must carry a `bot_protection`. */
  readonly bot_protection?: {
    readonly enabled: true
    readonly provider: {
      /** As `recaptchav2` or `cloudflare`. */ readonly type: string
    }
  }
}

/** `PublicKeyCredentialCreationOptions` in JSON, for `navigator.credentials.create()`. */
export type PasskeyCreationOptions = {
  /** Base64url. */ readonly challenge: string
} & Readonly<Record<string, unknown>>

/** By a passkey that the user chooses in the browser. */
export interface PasskeyOption {
  readonly identification: 'passkey'
  readonly request_options: PasskeyRequestOptions
  /** Present if the input must carry a `bot_protection`. */
  readonly bot_protection?: {
    readonly enabled: true
    readonly provider: {
      /** As `recaptchav2` or `cloudflare`. */ readonly type: string
    }
  }
}

/** `PublicKeyCredentialRequestOptions` in JSON, for `navigator.credentials.get()`. */
export type PasskeyRequestOptions = {
  /** Base64url. */ readonly challenge: string
} & Readonly<Record<string, unknown>>

/** By a password. */
export interface PasswordOption {
  readonly authentication: 'primary_password' | 'secondary_password'
  readonly password_policy: PasswordPolicy
  /** Present if the input must carry a `bot_protection`. */
  readonly bot_protection?: {
    readonly enabled: true
    readonly provider: {
      /** As `recaptchav2` or `cloudflare`. */ readonly type: string
    }
  }
}

/** What a new password must fulfil. */
export interface PasswordPolicy {
  readonly minimum_length: number
  readonly uppercase_required?: true
  readonly lowercase_required?: true
  readonly alphabet_required?: true
  readonly digit_required?: true
  readonly symbol_required?: true
  /** From 0 to 4. */
  readonly minimum_zxcvbn_score?: number
  readonly excluded_keywords?: readonly string[]
  readonly history: { readonly enabled: boolean; readonly size?: number; readonly days?: number }
}

/** By a way that needs nothing here. */
export interface PlainLinkingOption {
  readonly identification: 'email' | 'phone' | 'username' | 'passkey' | 'id_token' | 'ldap'
  readonly action: 'login_and_link'
  readonly masked_display_name: string
  /** Present if the input must carry a `bot_protection`. */
  readonly bot_protection?: {
    readonly enabled: true
    readonly provider: {
      /** As `recaptchav2` or `cloudflare`. */ readonly type: string
    }
  }
}

/** Go to the identity provider, and come back with its answer. */
export interface ProviderAction {
  readonly type: 'identify'
  readonly identification: 'oauth'
  readonly data: {
    readonly type: 'oauth_data'
    /** As `google`. */
    readonly oauth_provider_type: string
    readonly oauth_provider_alias: string
    readonly alias: string
    readonly provider_status: 'active' | 'missing_credentials' | 'using_demo_credentials'
    readonly wechat_app_type?: string
    readonly oauth_authorization_url: string
  }
}

/** By an identity provider. */
export interface ProviderLinkingOption {
  readonly identification: 'oauth'
  /** As `google`. */
  readonly oauth_provider_type: string
  readonly oauth_provider_alias: string
  /** The older name of `oauth_provider_type`. */
  readonly provider_type: string
  readonly alias: string
  readonly provider_status: 'active' | 'missing_credentials' | 'using_demo_credentials'
  readonly wechat_app_type?: string
  readonly action: 'login_and_link'
  readonly masked_display_name: string
  /** Present if the input must carry a `bot_protection`. */
  readonly bot_protection?: {
    readonly enabled: true
    readonly provider: {
      /** As `recaptchav2` or `cloudflare`. */ readonly type: string
    }
  }
}

/** By an account of an identity provider. */
export interface ProviderOption {
  readonly identification: 'oauth'
  /** As `google`. */
  readonly oauth_provider_type: string
  readonly oauth_provider_alias: string
  /** The older name of `oauth_provider_type`. */
  readonly provider_type: string
  readonly alias: string
  readonly provider_status: 'active' | 'missing_credentials' | 'using_demo_credentials'
  readonly wechat_app_type?: string
  /** Present if the input must carry a `bot_protection`. */
  readonly bot_protection?: {
    readonly enabled: true
    readonly provider: {
      /** As `recaptchav2` or `cloudflare`. */ readonly type: string
    }
  }
}

/** Say whose account is to be recovered. */
export interface RecoveryIdentifyAction {
  readonly type: 'identify'
  readonly data: {
    readonly type: 'account_recovery_identification_data'
    readonly options: readonly IdentifyOption[]
  }
}

/** Choose the new password of a recovered account. */
export interface ResetPasswordAction {
  readonly type: 'reset_password'
  readonly data: {
    readonly type: 'new_password_data'
    readonly password_policy: PasswordPolicy
    readonly masked_target?: string
  }
}

/** By the session that the browser has. */
export interface SelectAccountOption {
  readonly identification: 'select_account'
  /** Absent in a browser without the session. */
  readonly display_name?: string
  readonly user_id?: string
  /** Present if the input must carry a `bot_protection`. */
  readonly bot_protection?: {
    readonly enabled: true
    readonly provider: {
      /** As `recaptchav2` or `cloudflare`. */ readonly type: string
    }
  }
}

/** Choose how the code is sent. */
export interface SelectChannelAction {
  readonly type: 'verify' | 'authenticate' | 'create_authenticator'
  readonly authentication?: AuthenticationName
  readonly data: {
    readonly type: 'select_oob_otp_channels_data'
    readonly channels: readonly Channel[]
    readonly masked_claim_value: string
  }
}

/** Choose where the code of an account recovery goes. */
export interface SelectDestinationAction {
  readonly type: 'select_destination'
  readonly data: {
    readonly type: 'account_recovery_select_destination_data'
    readonly options: readonly {
      readonly masked_display_name: string
      readonly channel: Channel
      readonly otp_form: OtpForm
    }[]
  }
}

/** Confirm that the other sessions end. */
export interface TerminateOtherSessionsAction {
  readonly type: 'terminate_other_sessions'
  readonly data: Readonly<Record<string, never>>
}

/** Send the code that was received, or wait until the link was opened. */
export interface VerifyOtpAction {
  readonly type: 'verify' | 'authenticate' | 'create_authenticator'
  readonly authentication?: AuthenticationName
  readonly data: {
    readonly type: 'verify_oob_otp_data'
    readonly channel: Channel
    readonly otp_form: OtpForm
    /** For a link: reports that it was approved. */
    readonly websocket_url?: string
    readonly masked_claim_value: string
    readonly code_length: number
    /** When another one can be sent, RFC 3339. */
    readonly can_resend_at: string
    /** For a link: whether it was approved. */
    readonly can_check: boolean
    readonly failed_attempt_rate_limit_exceeded: boolean
    readonly delivery_status: 'sending' | 'sent' | 'failed'
  }
}

/** Send the code of the account recovery. */
export interface VerifyRecoveryCodeAction {
  readonly type: 'verify_account_recovery_code'
  readonly data: {
    readonly type: 'account_recovery_verify_code_data'
    readonly masked_display_name: string
    readonly channel: Channel
    readonly otp_form: OtpForm
    readonly code_length: number
    /** When another one can be sent, RFC 3339. */
    readonly can_resend_at: string
    readonly failed_attempt_rate_limit_exceeded: boolean
  }
}

/** Keep the recovery codes. They are shown once. */
export interface ViewRecoveryCodeAction {
  readonly type: 'view_recovery_code'
  readonly data: {
    readonly type: 'view_recovery_code_data'
    readonly recovery_codes: readonly string[]
  }
}
