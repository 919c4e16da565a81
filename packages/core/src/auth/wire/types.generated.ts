// Written by `npm run generate`; the schemas in `api/` are where to change it.

/** The account of the signed-in user. */
export interface Account {
  readonly user: AccountUser
  readonly identities: readonly Identity[]
  readonly authenticators: readonly AccountAuthenticator[]
  /** How many are left. */
  readonly recovery_codes: number
  /** How many devices are trusted. */
  readonly device_tokens: number
  readonly sessions: readonly AccountSession[]
  readonly changes: AvailableChanges
}

/** Something that a user authenticates with. */
export interface AccountAuthenticator {
  readonly id: string
  readonly type: 'password' | 'oob_otp_email' | 'oob_otp_sms' | 'totp' | 'passkey' | 'custom'
  readonly kind: 'primary' | 'secondary'
  /** Its name in flows, as `secondary_totp`. */
  readonly authentication: string
  readonly created_at: string
  readonly updated_at: string
  /** Where codes go. */
  readonly target?: string
  /** The name of an authenticator app or a passkey. */
  readonly display_name?: string
  /** When a password must be changed. */
  readonly expire_after?: string
}

/** A change of the account that needs a flow. */
export type AccountChange =
  | {
      /** As `email` or `oauth`. */ readonly add_identity: string
    }
  | {
      /** The id of an identity. */ readonly replace_identity: string
    }
  | {
      /** The id of an identity. */ readonly verify_identity: string
    }
  | { readonly create_authenticator: readonly AuthenticationName[] }
  | { readonly change_password: 'primary' | 'secondary' }
  | { readonly create_passkey: true }
  | { readonly create_recovery_codes: true }
  | {
      /** Pointers, as `/given_name`. */ readonly fill_in_user_profile: readonly string[]
    }

/** What the service knows of the user, without secrets. */
export interface AccountExport {
  readonly exported_at: string
  readonly user: AccountUser
  readonly identities: readonly Identity[]
  readonly authenticators: readonly AccountAuthenticator[]
  /** How many are left. */
  readonly recovery_codes: number
  /** How many devices are trusted. */
  readonly device_tokens: number
  readonly sessions: readonly AccountSession[]
  readonly apps: readonly AuthorizedApp[]
  readonly activity: readonly Activity[]
}

/** The attributes of a user, as far as the user may see them. */
export interface AccountProfile {
  /** Claims of OpenID Connect, as `given_name`. */
  readonly standard_attributes: Readonly<Record<string, unknown>>
  readonly custom_attributes: Readonly<Record<string, unknown>>
}

/** A session of the user. */
export interface AccountSession {
  readonly id: string
  readonly client_id: string | null
  readonly created_at: string
  readonly authenticated_at: string
  readonly last_accessed_at: string
  readonly last_accessed_ip: string | null
  readonly last_accessed_user_agent: string | null
  /** Where the last address is, as `NO`. */
  readonly geo_location_code?: string
  readonly expires_at: string
  readonly amr: readonly string[]
  readonly aal: number
  /** The operator who acts as the user in it. */
  readonly impersonated_by?: string
  readonly is_current: boolean
}

/** The user, and their attributes. */
export interface AccountUser {
  readonly id: string
  readonly created_at: string
  readonly updated_at: string
  readonly last_login_at: string | null
  /** Claims of OpenID Connect, as `given_name`. */
  readonly standard_attributes: Readonly<Record<string, unknown>>
  readonly custom_attributes: Readonly<Record<string, unknown>>
}

/** Something that happened to the account. */
export interface Activity {
  readonly id: string
  readonly at: string
  readonly type:
    | 'user.created'
    | 'user.authenticated'
    | 'user.reauthenticated'
    | 'user.impersonated'
    | 'user.signed_out'
    | 'user.session.terminated'
    | 'user.profile.updated'
    | 'user.anonymous.promoted'
    | 'user.deletion_scheduled'
    | 'user.deletion_unscheduled'
    | 'identity.email.added'
    | 'identity.email.updated'
    | 'identity.email.removed'
    | 'identity.email.verified'
    | 'identity.phone.added'
    | 'identity.phone.updated'
    | 'identity.phone.removed'
    | 'identity.phone.verified'
    | 'identity.username.added'
    | 'identity.username.updated'
    | 'identity.username.removed'
    | 'identity.oauth.connected'
    | 'identity.oauth.disconnected'
    | 'password.primary.reset'
    | 'password.primary.force_changed'
    | 'password.primary.changed'
    | 'password.secondary.changed'
    | 'authenticator.added'
    | 'authenticator.removed'
    | 'recovery_codes.created'
    | 'device_tokens.revoked'
    | 'api_key.created'
    | 'api_key.revoked'
    | 'oidc.app.authorized'
    | 'oidc.app.revoked'
    | 'oidc.token.reused'
    | 'authentication.primary.password.failed'
    | 'authentication.primary.oob_otp_email.failed'
    | 'authentication.primary.oob_otp_sms.failed'
    | 'authentication.primary.passkey.failed'
    | 'authentication.secondary.password.failed'
    | 'authentication.secondary.oob_otp_email.failed'
    | 'authentication.secondary.oob_otp_sms.failed'
    | 'authentication.secondary.totp.failed'
    | 'authentication.secondary.recovery_code.failed'
    | 'authentication.blocked'
  /** `admin_api`: the app did it. `system`: it was due. */
  readonly triggered_by: 'user' | 'system' | 'admin_api'
  readonly ip_address?: string
  /** A country, as ISO 3166-1 alpha-2. */
  readonly geo_location_code?: string
  /** As `Firefox on Windows`. */
  readonly device?: string
  /** The address, name or provider it is about. */
  readonly about?: string
}

/** A page of what happened to the account, newest first. */
export interface ActivityPage {
  readonly items: readonly Activity[]
  /** The `after` of the next page; absent at the end. */
  readonly next?: string
}

/** The identity of an anonymous user. */
export interface AnonymousIdentity {
  readonly type: 'anonymous'
  readonly id: string
  readonly created_at: string
  readonly updated_at: string
  readonly email?: string
  readonly phone_number?: string
  readonly preferred_username?: string
  /** Whether its address is verified. */
  readonly is_verified: boolean
}

/** An API key, without its secret. */
export interface ApiKey {
  /** The part of the key after `gatehouse_`. */
  readonly id: string
  readonly user_id: string | null
  readonly service: string | null
  readonly name: string
  readonly scopes: readonly string[]
  readonly created_at: string
  /** `null`: never. */
  readonly expires_at: string | null
  /** To the minute. */
  readonly last_used_at: string | null
  readonly last_used_ip: string | null
}

/** An event of the audit log. */
export interface AuditedEvent {
  readonly id: string
  readonly at: string
  /** As `user.authenticated`. */
  readonly type: string
  readonly userId?: string
  readonly triggeredBy: 'user' | 'system' | 'admin_api'
  /** Who did it over HTTP, by the id of the subject. */
  readonly operator?: string
  readonly clientId?: string
  readonly ipAddress?: string
  readonly userAgent?: string
  readonly geoLocationCode?: string
  readonly authenticationFlow?: { readonly type: string; readonly name: string }
  readonly payload: Readonly<Record<string, unknown>>
}

/** A page of events, newest first. */
export interface AuditedEvents {
  readonly items: readonly AuditedEvent[]
  /** The `after` of the next page; absent at the end. */
  readonly next?: string
}

/** A refusal. */
export interface AuthError {
  readonly name:
    | 'BadRequest'
    | 'Invalid'
    | 'Unauthorized'
    | 'Forbidden'
    | 'NotFound'
    | 'AlreadyExists'
    | 'DataRace'
    | 'RequestEntityTooLarge'
    | 'TooManyRequest'
    | 'InternalError'
    | 'ServiceUnavailable'
  readonly reason: AuthReason
  /** For developers, not for users. */
  readonly message: string
  /** The HTTP status. */
  readonly code: number
  /** Names the log line of the error. */
  readonly tracking_id: string
  readonly info?: AuthErrorInfo
}

/** Details of an error. Which ones are there depends on its reason. */
export interface AuthErrorInfo {
  readonly FlowType?: FlowType
  readonly causes?: readonly (ValidationCause | PolicyCause)[]
  /** The rule that forbids it. */
  readonly cause?: { readonly kind: string } & Readonly<Record<string, unknown>>
  readonly AuthenticationType?: string
  readonly IdentityTypeIncoming?: string
  readonly server_name?: string
  readonly LoginIDTypeIncoming?: string
  readonly OAuthProviderTypeIncoming?: string
  readonly IdentityTypeExisting?: string
  readonly LoginIDTypeExisting?: string
  readonly OAuthProviderTypeExisting?: string
  readonly ExistingIdentities?: readonly Readonly<Record<string, unknown>>[]
  readonly OAuthProviderAlias?: string
  readonly OAuthProviderType?: string
  readonly provider_type?: string
  /** The error of an identity provider. */
  readonly error?: string
  readonly error_description?: string
  readonly error_uri?: string
  /** The rate limit. */
  readonly bucket_name?: string
  readonly rate_limit?: { readonly name: string; readonly group: string }
  readonly rate_limit_name?: string
  /** Of a lockout, RFC 3339. */
  readonly until?: string
  /** Why the user is disabled. */
  readonly reason?: string
  readonly delete_at?: string
  readonly anonymize_at?: string
  readonly account_valid_from?: string
  readonly account_valid_until?: string
  readonly otp_form?: string
  /** The event that a hook refused. */
  readonly event_type?: string
  /** Why a hook refused. */
  readonly reasons?: readonly { readonly title?: string; readonly reason?: string }[]
  readonly target_step?: string
  /** In bytes. */
  readonly limit?: number
  /** Of a value that is not valid. */
  readonly path?: string
  readonly expected?: string
  readonly given?: string
  /** What the sender may not do. */
  readonly action?: string
  /** The `amr` values to show again, or the scopes that an API key lacks. */
  readonly missing?: readonly string[]
  /** Of an attribute that the user may not change. */
  readonly pointer?: string
}

/** The answer to a refused request. */
export interface AuthFailure {
  readonly error: AuthError
  /** The state the request was made to, if known. */
  readonly result?: FlowState
}

/** Why a request was refused. Hooks and custom kinds may add reasons of their own. */
export type AuthReason =
  | 'ValidationFailed'
  | 'InvalidInput'
  | 'InvalidHistoryQuery'
  | 'BadRequest'
  | 'MethodNotAllowed'
  | 'NotFound'
  | 'InvalidQuery'
  | 'JSONTooLarge'
  | 'HTTPSRequired'
  | 'Forbidden'
  | 'NotAllowed'
  | 'TooManyRequest'
  | 'DataRace'
  | 'UnexpectedError'
  | 'AuthenticationFlowNotFound'
  | 'AuthenticationFlowFlowNotFound'
  | 'AuthenticationFlowStepNotFound'
  | 'AuthenticationFlowNotAllowed'
  | 'AuthenticationFlowNoPublicSignup'
  | 'AuthenticationFlowDifferentUserID'
  | 'AuthenticationFlowNoUserID'
  | 'AuthenticationFlowInvalidTargetStep'
  | 'SelectAccountSessionChanged'
  | 'InvariantViolated'
  | 'Invalid'
  | 'InvalidCredentials'
  | 'InvalidVerificationCode'
  | 'InvalidOTPCode'
  | 'PasswordPolicyViolated'
  | 'PasswordResetFailed'
  | 'ChangePasswordFailed'
  | 'ForgotPasswordFailed'
  | 'RateLimited'
  | 'AccountLockout'
  | 'BotProtectionVerificationFailed'
  | 'BotProtectionVerificationServiceUnavailable'
  | 'OTPDeliveryUnexpectedError'
  | 'SMSNotSupported'
  | 'OAuthError'
  | 'ExternalJWTInvalidJWT'
  | 'ExternalJWTInvalidClaim'
  | 'ExternalJWTFailedToFetchJWKs'
  | 'LDAPError'
  | 'OAuthProtocolError'
  | 'OAuthProviderNotFound'
  | 'OAuthProviderMissingCredentials'
  | 'WebAuthnSessionNotFound'
  | 'UserNotFound'
  | 'DisabledUser'
  | 'AnonymizedUser'
  | 'ScheduledDeletionByAdmin'
  | 'ScheduledDeletionByEndUser'
  | 'ScheduledAnonymizationByAdmin'
  | 'UserOutsideValidPeriod'
  | 'NotAuthenticated'
  | 'ReauthenticationRequired'
  | 'AccessControlViolated'
  | 'AccountDeletionDisabled'
  | 'IdentityNotFound'
  | 'AuthenticatorNotFound'
  | 'SessionNotFound'
  | 'Impersonated'
  | 'ImpersonationForbidden'
  | 'InvitationNotFound'
  | 'InvitationExists'
  | 'InvitationsDisabled'
  | 'InvitationNotSent'
  | 'InvalidToken'
  | 'TokensDisabled'
  | 'ApiKeysDisabled'
  | 'ApiKeyNotFound'
  | 'ApiKeyLimitReached'
  | 'InsufficientScope'
  | 'AppNotFound'
  | 'HookDisallowed'
  | 'HookDeliveryTimeout'
  | 'HookInvalidResponse'
  | 'HookDeliveryUnknownFailure'

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

/** For an `AuthenticateAction`. */
export type AuthenticateInput =
  | {
      readonly authentication: 'primary_password' | 'secondary_password'
      readonly password: string
      /** Trusts this device. Only where `device_token_enabled`. */
      readonly request_device_token?: boolean
      /** The response of the bot protection, if the option asks for it. */
      readonly bot_protection?: { readonly type: string; readonly response: string }
    }
  | {
      readonly authentication: 'secondary_totp'
      readonly code: string
      /** Trusts this device. Only where `device_token_enabled`. */
      readonly request_device_token?: boolean
      /** The response of the bot protection, if the option asks for it. */
      readonly bot_protection?: { readonly type: string; readonly response: string }
    }
  | {
      readonly authentication: 'recovery_code'
      readonly recovery_code: string
      /** Trusts this device. Only where `device_token_enabled`. */
      readonly request_device_token?: boolean
      /** The response of the bot protection, if the option asks for it. */
      readonly bot_protection?: { readonly type: string; readonly response: string }
    }
  | {
      readonly authentication: 'primary_passkey'
      readonly assertion_response: PasskeyAssertion
      /** Trusts this device. Only where `device_token_enabled`. */
      readonly request_device_token?: boolean
      /** The response of the bot protection, if the option asks for it. */
      readonly bot_protection?: { readonly type: string; readonly response: string }
    }
  | {
      readonly authentication:
        | 'primary_oob_otp_email'
        | 'primary_oob_otp_sms'
        | 'secondary_oob_otp_email'
        | 'secondary_oob_otp_sms'
      /** The position of the option. Needed unless `target` is given. */
      readonly index?: number
      /** Of a second factor: the address, in place of `index`. */
      readonly target?: string
      /** Needed if the option lists several. */
      readonly channel?: Channel
      /** Trusts this device. Only where `device_token_enabled`. */
      readonly request_device_token?: boolean
      /** The response of the bot protection, if the option asks for it. */
      readonly bot_protection?: { readonly type: string; readonly response: string }
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

/** An app that the user has let in at the authorization server. */
export interface AuthorizedApp {
  readonly client_id: string
  /** The name of the app; its id if it has none. */
  readonly name: string
  /** Empty for apps that need no consent. */
  readonly scopes: readonly string[]
  /** The scopes of each API. */
  readonly resources: readonly { readonly identifier: string; readonly scopes: readonly string[] }[]
  /** All of this in words: of the account, without `api`, and of each API. */
  readonly access: readonly { readonly api?: string; readonly items: readonly string[] }[]
  readonly authorized_at: string
  /** When it last began to sign the user in. */
  readonly last_used_at: string
}

/** The apps that the user has let in, the last used first; none without an authorization server. */
export interface AuthorizedApps {
  readonly items: readonly AuthorizedApp[]
}

/** The changes that a page can offer. Forbidden ones are refused anyway. */
export interface AvailableChanges {
  readonly add_identity: readonly string[]
  /** Ids of identities. */
  readonly replace_identity: readonly string[]
  /** Ids of identities. */
  readonly verify_identity: readonly string[]
  readonly create_authenticator: readonly string[]
  readonly change_password: readonly ('primary' | 'secondary')[]
  readonly create_passkey: boolean
  readonly create_recovery_codes: boolean
  /** Whether there are API keys, so that their list answers. */
  readonly api_keys: boolean
  /** Absent if users cannot delete their accounts. */
  readonly delete_account?: { readonly grace_period_days: number }
}

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

/** The account will be deleted, because the user asked for it: keep it, or leave. */
export interface CheckAccountStatusAction {
  readonly type: 'check_account_status'
  readonly data: {
    readonly reason: 'ScheduledDeletionByEndUser'
    /** When, in RFC 3339. */
    readonly delete_at: string
  }
}

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

/** For a `CreateAuthenticatorAction`. */
export type CreateAuthenticatorInput =
  | {
      readonly authentication: 'primary_password' | 'secondary_password'
      readonly new_password: string
      /** The response of the bot protection, if the option asks for it. */
      readonly bot_protection?: { readonly type: string; readonly response: string }
    }
  | {
      readonly authentication:
        | 'primary_oob_otp_email'
        | 'primary_oob_otp_sms'
        | 'secondary_oob_otp_email'
        | 'secondary_oob_otp_sms'
      /** The address, if the option has none. */
      readonly target?: string
      readonly channel?: Channel
      /** The response of the bot protection, if the option asks for it. */
      readonly bot_protection?: { readonly type: string; readonly response: string }
    }
  | {
      readonly authentication: 'secondary_totp'
      /** The response of the bot protection, if the option asks for it. */
      readonly bot_protection?: { readonly type: string; readonly response: string }
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

/** For a `CreatePasskeyAction`. */
export type CreatePasskeyInput =
  | { readonly creation_response: PasskeyCreation }
  | { readonly skip: true; readonly do_not_ask_again?: boolean }

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

/** For a `CreateTotpAction`. */
export interface CreateTotpInput {
  readonly code: string
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

/** A new API key. */
export interface CreatedApiKey {
  /** The key itself. It cannot be read again. */
  readonly key: string
  readonly api_key: ApiKey
}

/** A new API key of a user or a service. */
export interface CreatedOwnedApiKey {
  /** The key itself. It cannot be read again. */
  readonly key: string
  readonly apiKey: ListedApiKey
}

/** An identity of a kind of the app. */
export interface CustomIdentity {
  readonly type: 'custom'
  readonly identification: string
  readonly id: string
  readonly created_at: string
  readonly updated_at: string
  readonly email?: string
  readonly phone_number?: string
  readonly preferred_username?: string
  /** Whether its address is verified. */
  readonly is_verified: boolean
}

/** Fill in the profile. */
export interface FillInProfileAction {
  readonly type: 'fill_in_user_profile'
  readonly data: {
    /** The attributes that are asked for. Those that the input leaves out are erased. */
    readonly attributes: readonly ProfileField[]
  }
}

/** For a `FillInProfileAction`. */
export interface FillInProfileInput {
  readonly attributes: readonly {
    /** As `/given_name`. */ readonly pointer: string
    readonly value: unknown
  }[]
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
  | CheckAccountStatusAction
  | TerminateOtherSessionsAction
  | FinishedAction

/** An input for an action of a flow. */
export type FlowInput =
  | IdentifyInput
  | RecoveryIdentifyInput
  | LinkAccountInput
  | ProviderInput
  | AuthenticateInput
  | CreateAuthenticatorInput
  | CreateTotpInput
  | SelectChannelInput
  | VerifyOtpInput
  | ViewRecoveryCodeInput
  | CreatePasskeyInput
  | NewPasswordInput
  | SelectDestinationInput
  | VerifyRecoveryCodeInput
  | FillInProfileInput
  | KeepAccountInput
  | TerminateOtherSessionsInput

/** A state of a flow. */
export interface FlowState {
  /** Takes the next input. Who has it drives the flow. */
  readonly state_token: string
  /** A `signup_login` becomes one of the two once the user is known. */
  readonly type: FlowType
  readonly name: string
  readonly action: FlowAction
}

/** The type of a flow. Those of type `account` begin at the account. */
export type FlowType =
  | 'signup'
  | 'promote'
  | 'login'
  | 'signup_login'
  | 'reauth'
  | 'account_recovery'
  | 'account'

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

/** For an `IdentifyAction`. */
export type IdentifyInput =
  | {
      readonly identification: 'email' | 'phone' | 'username'
      readonly login_id: string
      /** The response of the bot protection, if the option asks for it. */
      readonly bot_protection?: { readonly type: string; readonly response: string }
    }
  | {
      readonly identification: 'oauth'
      readonly alias: string
      /** Where the provider sends the browser back to. */
      readonly redirect_uri: string
      readonly response_mode?: 'form_post' | 'query'
      /** The response of the bot protection, if the option asks for it. */
      readonly bot_protection?: { readonly type: string; readonly response: string }
    }
  | {
      readonly identification: 'passkey'
      readonly assertion_response: PasskeyAssertion
      /** The response of the bot protection, if the option asks for it. */
      readonly bot_protection?: { readonly type: string; readonly response: string }
    }
  | {
      readonly identification: 'select_account'
      /** The position of the option. */
      readonly index: number
      /** The response of the bot protection, if the option asks for it. */
      readonly bot_protection?: { readonly type: string; readonly response: string }
    }
  | {
      readonly identification: 'id_token'
      readonly id_token: string
      /** The response of the bot protection, if the option asks for it. */
      readonly bot_protection?: { readonly type: string; readonly response: string }
    }
  | {
      readonly identification: 'email' | 'phone' | 'username'
      /** A token of another issuer, in a sign-up. */
      readonly external_jwt: string
      /** The response of the bot protection, if the option asks for it. */
      readonly bot_protection?: { readonly type: string; readonly response: string }
    }
  | {
      readonly identification: 'ldap'
      readonly server_name: string
      readonly username: string
      readonly password: string
      /** The response of the bot protection, if the option asks for it. */
      readonly bot_protection?: { readonly type: string; readonly response: string }
    }

/** One way to say who one is. */
export type IdentifyOption =
  | LoginIdOption
  | ProviderOption
  | PasskeyOption
  | SelectAccountOption
  | IdTokenOption
  | LdapOption

/** Something by which a user is identified. */
export type Identity = LoginIdIdentity | ProviderIdentity | AnonymousIdentity | CustomIdentity

/** The session in which the operator acts as the user. Its cookies come with the answer. */
export interface ImpersonatedSession {
  readonly sessionId: string
  readonly expiresAt: string
}

/** The outcome of a record. */
export type ImportOutcome =
  | { readonly outcome: 'inserted'; readonly userId: string }
  | {
      readonly outcome: 'failed'
      readonly error: {
        readonly reason: string
        readonly message: string
        readonly info: Readonly<Record<string, unknown>>
      }
    }

/** A user as exported from another system. */
export interface ImportedUser {
  /** At most 64 letters, digits, `-` and `_` (default: a new one). */
  readonly id?: string
  readonly created_at?: string
  readonly last_login_at?: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly phone_number?: string
  readonly phone_number_verified?: boolean
  readonly preferred_username?: string
  readonly identities?: readonly Readonly<Record<string, unknown>>[]
  readonly passkeys?: readonly Readonly<Record<string, unknown>>[]
  readonly mfa?: {
    readonly email?: string
    readonly phone_number?: string
    readonly password?: PasswordHash
    readonly totp?: { readonly secret: string; readonly display_name?: string }
    readonly recovery_codes?: readonly string[]
  }
  readonly disabled?: boolean
  readonly disable_reason?: string
  readonly account_valid_from?: string
  readonly account_valid_until?: string
  readonly standard_attributes?: Readonly<Record<string, unknown>>
  readonly custom_attributes?: Readonly<Record<string, unknown>>
  readonly password?: PasswordHash
}

/** An invitation that is open. */
export interface Invitation {
  readonly id: string
  readonly email: string
  /** What the profile of the new user begins with. */
  readonly standardAttributes: Readonly<Record<string, unknown>>
  /** As `x_role`, for roles. */
  readonly customAttributes: Readonly<Record<string, unknown>>
  readonly createdAt: string
  readonly expiresAt: string
  /** `null`: the app sends the link itself. */
  readonly sentAt: string | null
  /** How many mails were sent. */
  readonly sentCount: number
  /** `null`: the app. */
  readonly invitedBy: string | null
  /** The language of the mail; `null`: the usual one. */
  readonly locale: string | null
}

/** A page of invitations. */
export interface InvitationsPage {
  readonly items: readonly Invitation[]
  /** The `after` of the next page; absent at the end. */
  readonly next?: string
}

/** Public keys. */
export interface JwkSet {
  readonly keys: readonly PublicKey[]
}

/** For a `CheckAccountStatusAction`. */
export interface KeepAccountInput {
  readonly keep_account: true
}

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

/** For a `LinkAccountAction`. */
export interface LinkAccountInput {
  /** The position of the option. */
  readonly index: number
  /** For an identity provider. */
  readonly redirect_uri?: string
  readonly response_mode?: 'form_post' | 'query'
  /** The response of the bot protection, if the option asks for it. */
  readonly bot_protection?: { readonly type: string; readonly response: string }
}

/** One way to sign in to the existing account. */
export type LinkAccountOption = PlainLinkingOption | ProviderLinkingOption

/** An API key as operators see it. */
export interface ListedApiKey {
  /** The part of the key after `gatehouse_`. */
  readonly id: string
  readonly userId: string | null
  readonly service: string | null
  readonly name: string
  readonly scopes: readonly string[]
  readonly createdAt: string
  /** `null`: never. */
  readonly expiresAt: string | null
  /** To the minute. */
  readonly lastUsedAt: string | null
  readonly lastUsedIp: string | null
}

/** The API keys of a user or a service, newest first, or those of all services by name; and what new ones may be. */
export interface ListedApiKeys {
  readonly items: readonly ListedApiKey[]
  /** Which a new key may have. */
  readonly scopes: readonly string[]
  /** `null`: a key may last for ever. */
  readonly maxLifetimeDays: number | null
  /** The `after` of the next page of keys of services. */
  readonly next?: string
}

/** The failed attempts against a user. */
export interface Lockout {
  /** How many failed. */
  readonly attempts: number
  readonly lockoutType: 'per_user' | 'per_user_per_ip' | null
  readonly lockedUntil: string | null
  /** The locked addresses; empty if the whole account is locked. */
  readonly addresses: readonly { readonly ip: string; readonly lockedUntil: string }[]
}

/** An address or name that the user signs in with. */
export interface LoginIdIdentity {
  readonly type: 'login_id'
  readonly login_id_type: 'email' | 'phone' | 'username'
  readonly login_id_key: string
  /** As typed. */
  readonly original: string
  readonly normalized: string
  readonly id: string
  readonly created_at: string
  readonly updated_at: string
  readonly email?: string
  readonly phone_number?: string
  readonly preferred_username?: string
  /** Whether its address is verified. */
  readonly is_verified: boolean
}

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

/** The type of a flow that a client can create. */
export type NewFlowType =
  | 'signup'
  | 'promote'
  | 'login'
  | 'signup_login'
  | 'reauth'
  | 'account_recovery'

/** Whom to invite. */
export interface NewInvitation {
  readonly email: string
  /** What the profile of the new user begins with. */
  readonly standardAttributes?: Readonly<Record<string, unknown>>
  /** As `x_role`, for roles. */
  readonly customAttributes?: Readonly<Record<string, unknown>>
  /** Default: as the configuration says. */
  readonly expiresAt?: string
  /** The language of the mail, as `de`. */
  readonly locale?: string
}

/** An API key to create, of a user or of a service. */
export interface NewOwnedApiKey {
  readonly userId?: string
  /** The name of the service, in place of a user. */
  readonly service?: string
  /** For people, to find the key again. */
  readonly name: string
  readonly scopes: readonly string[]
  /** Default: never, if that is allowed. */
  readonly expiresAt?: string | null
}

/** For a `ChangePasswordAction` and a `ResetPasswordAction`. */
export interface NewPasswordInput {
  readonly new_password: string
}

/** A user to create, with at least one login ID. */
export interface NewUser {
  /** At most 64 letters, digits, `-` and `_` (default: a new one). */
  readonly id?: string
  readonly createdAt?: string
  readonly lastLoginAt?: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly phone_number?: string
  readonly phone_number_verified?: boolean
  readonly preferred_username?: string
  readonly identities?: readonly Readonly<Record<string, unknown>>[]
  readonly passkeys?: readonly Readonly<Record<string, unknown>>[]
  readonly mfa?: {
    readonly email?: string
    readonly phone_number?: string
    readonly password?: UserPasswordHash
    readonly totp?: { readonly secret: string; readonly displayName?: string }
    readonly recoveryCodes?: readonly string[]
  }
  readonly disabled?: boolean
  readonly disableReason?: string
  readonly accountValidFrom?: string
  readonly accountValidUntil?: string
  readonly standardAttributes?: Readonly<Record<string, unknown>>
  readonly customAttributes?: Readonly<Record<string, unknown>>
  readonly password?: string | UserPasswordHash
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

/** The API keys of the user, newest first, and what new ones may be. */
export interface OwnApiKeys {
  readonly items: readonly ApiKey[]
  /** Which a new key may have; empty if people make none. */
  readonly scopes: readonly string[]
  /** `null`: a key may last for ever. */
  readonly max_lifetime_days: number | null
}

/** `AuthenticationResponseJSON` of WebAuthn: a use of a passkey. */
export type PasskeyAssertion = {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly response: {
    readonly authenticatorData: string
    readonly clientDataJSON: string
    readonly signature: string
    readonly userHandle?: string | null
  } & Readonly<Record<string, unknown>>
} & Readonly<Record<string, unknown>>

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

/** `RegistrationResponseJSON` of WebAuthn: a new passkey. */
export type PasskeyCreation = {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly response: {
    readonly attestationObject: string
    readonly clientDataJSON: string
  } & Readonly<Record<string, unknown>>
} & Readonly<Record<string, unknown>>

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

/** The hash of a password of another system. */
export interface PasswordHash {
  readonly type: 'bcrypt' | 'scrypt' | 'argon2' | 'pbkdf2'
  readonly password_hash: string
  readonly set_at?: string
  readonly expire_after?: string
}

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

/** What a password lacks. */
export interface PolicyCause {
  /** As `PasswordTooShort`. */
  readonly Name: string
  readonly Info?: Readonly<Record<string, unknown>>
}

/** A change of one attribute. */
export interface ProfileChange {
  /** As `/given_name`. */
  readonly pointer: string
  /** Absent to erase the attribute. */
  readonly value?: unknown
}

/** An attribute to fill in. */
export interface ProfileField {
  /** As `/given_name`. */
  readonly pointer: string
  readonly required: boolean
  /** Of an attribute that the configuration defines. */
  readonly type?:
    | 'string'
    | 'number'
    | 'integer'
    | 'enum'
    | 'phone_number'
    | 'email'
    | 'url'
    | 'country_code'
  readonly minimum?: number
  readonly maximum?: number
  /** The values of the type `enum`. */
  readonly enum?: readonly string[]
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

/** An account at an identity provider. */
export interface ProviderIdentity {
  readonly type: 'oauth'
  readonly provider_type: string
  readonly provider_alias: string
  readonly subject: string
  readonly claims: Readonly<Record<string, unknown>>
  /** All claims as the provider sent them. */
  readonly profile?: Readonly<Record<string, unknown>>
  readonly id: string
  readonly created_at: string
  readonly updated_at: string
  readonly email?: string
  readonly phone_number?: string
  readonly preferred_username?: string
  /** Whether its address is verified. */
  readonly is_verified: boolean
}

/** For a `ProviderAction`: the answer of the provider. */
export type ProviderInput =
  | {
      /** The query of the address that the provider led to. */ readonly query: string
      readonly code?: string
    }
  | { readonly code: string }
  | { readonly error: string; readonly error_description?: string; readonly error_uri?: string }

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

/** A public key as in RFC 7517. */
export interface PublicKey {
  readonly kty: 'EC'
  readonly crv: 'P-256'
  readonly use: 'sig'
  readonly alg: 'ES256'
  readonly kid: string
  readonly x: string
  readonly y: string
}

/** Say whose account is to be recovered. */
export interface RecoveryIdentifyAction {
  readonly type: 'identify'
  readonly data: {
    readonly type: 'account_recovery_identification_data'
    readonly options: readonly IdentifyOption[]
  }
}

/** For a `RecoveryIdentifyAction`. */
export interface RecoveryIdentifyInput {
  readonly identification: 'email' | 'phone' | 'username'
  readonly login_id: string
  /** The response of the bot protection, if the option asks for it. */
  readonly bot_protection?: { readonly type: string; readonly response: string }
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

/** The account will be deleted. */
export interface ScheduledDeletion {
  readonly delete_at: string
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

/** For a `SelectChannelAction`. */
export interface SelectChannelInput {
  readonly channel: Channel
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

/** For a `SelectDestinationAction`. */
export interface SelectDestinationInput {
  /** The position of the option. */
  readonly index: number
}

/** Confirm that the other sessions end. */
export interface TerminateOtherSessionsAction {
  readonly type: 'terminate_other_sessions'
  readonly data: Readonly<Record<string, never>>
}

/** For a `TerminateOtherSessionsAction`. */
export interface TerminateOtherSessionsInput {
  readonly confirm_terminate_other_sessions: true
}

/** Tokens of a session. */
export interface TokenSet {
  /** A JWT as in RFC 9068, signed with ES256. */
  readonly access_token: string
  readonly token_type: 'Bearer'
  /** In seconds. */
  readonly expires_in: number
  /** For the next tokens. It can be used once. */
  readonly refresh_token: string
  /** In seconds, unless the session ends before. */
  readonly refresh_token_expires_in: number
  readonly session_id: string
}

/** A user as operators see it. */
export interface User {
  readonly id: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly lastLoginAt: string | null
  readonly isDisabled: boolean
  readonly disableReason: string | null
  readonly deleteAt: string | null
  readonly isAnonymized: boolean
  readonly anonymizeAt: string | null
  readonly accountValidFrom: string | null
  readonly accountValidUntil: string | null
  /** Claims of OpenID Connect, as `given_name`. */
  readonly standardAttributes: Readonly<Record<string, unknown>>
  readonly customAttributes: Readonly<Record<string, unknown>>
}

/** All that operators see of a user. */
export interface UserAccount {
  readonly user: User
  readonly isVerified: boolean
  readonly identities: readonly UserIdentity[]
  readonly authenticators: readonly UserAuthenticator[]
  /** How many are left. */
  readonly recoveryCodes: number
  /** How many devices are trusted. */
  readonly deviceTokens: number
  readonly sessions: readonly UserSession[]
  readonly lockout: Lockout
}

/** The identity of an anonymous user. */
export interface UserAnonymousIdentity {
  readonly type: 'anonymous'
  readonly id: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly email?: string
  readonly phone_number?: string
  readonly preferred_username?: string
  /** Whether its address is verified. */
  readonly isVerified: boolean
}

/** An app that a user has let in. */
export interface UserApp {
  readonly clientId: string
  /** The name of the app; its id if it has none. */
  readonly name: string
  /** Empty for apps that need no consent. */
  readonly scopes: readonly string[]
  /** The scopes of each API. */
  readonly resources: readonly { readonly identifier: string; readonly scopes: readonly string[] }[]
  /** All of this in words: of the account, without `api`, and of each API. */
  readonly access: readonly { readonly api?: string; readonly items: readonly string[] }[]
  readonly authorizedAt: string
  /** When it last began to sign the user in. */
  readonly lastUsedAt: string
}

/** The apps that a user has let in, the last used first; none without an authorization server. */
export interface UserApps {
  readonly items: readonly UserApp[]
}

/** Something that a user authenticates with. */
export interface UserAuthenticator {
  readonly id: string
  readonly type: 'password' | 'oob_otp_email' | 'oob_otp_sms' | 'totp' | 'passkey' | 'custom'
  readonly kind: 'primary' | 'secondary'
  /** Its name in flows, as `secondary_totp`. */
  readonly authentication: string
  readonly createdAt: string
  readonly updatedAt: string
  /** Where codes go. */
  readonly target?: string
  /** The name of an authenticator app or a passkey. */
  readonly displayName?: string
  /** When a password must be changed. */
  readonly expireAfter?: string
}

/** An identity of a kind of the app. */
export interface UserCustomIdentity {
  readonly type: 'custom'
  readonly identification: string
  readonly id: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly email?: string
  readonly phone_number?: string
  readonly preferred_username?: string
  /** Whether its address is verified. */
  readonly isVerified: boolean
}

/** Something by which a user is identified. */
export type UserIdentity =
  | UserLoginIdIdentity
  | UserProviderIdentity
  | UserAnonymousIdentity
  | UserCustomIdentity

/** An address or name that the user signs in with. */
export interface UserLoginIdIdentity {
  readonly type: 'login_id'
  readonly loginIdType: 'email' | 'phone' | 'username'
  readonly loginIdKey: string
  /** As typed. */
  readonly original: string
  readonly normalized: string
  readonly id: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly email?: string
  readonly phone_number?: string
  readonly preferred_username?: string
  /** Whether its address is verified. */
  readonly isVerified: boolean
}

/** The hash of a password of another system. */
export interface UserPasswordHash {
  readonly type: 'bcrypt' | 'scrypt' | 'argon2' | 'pbkdf2'
  readonly passwordHash: string
  readonly setAt?: string
  readonly expireAfter?: string
}

/** An account at an identity provider. */
export interface UserProviderIdentity {
  readonly type: 'oauth'
  readonly providerType: string
  readonly providerAlias: string
  readonly subject: string
  readonly claims: Readonly<Record<string, unknown>>
  /** All claims as the provider sent them. */
  readonly profile?: Readonly<Record<string, unknown>>
  readonly id: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly email?: string
  readonly phone_number?: string
  readonly preferred_username?: string
  /** Whether its address is verified. */
  readonly isVerified: boolean
}

/** A session of a user. */
export interface UserSession {
  readonly id: string
  readonly clientId: string | null
  readonly createdAt: string
  readonly authenticatedAt: string
  readonly lastAccessedAt: string
  readonly lastAccessedIp: string | null
  readonly lastAccessedUserAgent: string | null
  /** Where the last address is, as `NO`. */
  readonly geoLocationCode?: string
  readonly expiresAt: string
  readonly amr: readonly string[]
  readonly aal: number
  /** The operator who acts as the user in it. */
  readonly impersonatedBy?: string
}

/** Why a request was refused. */
export interface UsersFailure {
  readonly reason: AuthReason
  /** For people: may change. */
  readonly message: string
  /** Details for programs. */
  readonly info?: AuthErrorInfo
}

/** A page of users. */
export interface UsersPage {
  readonly items: readonly User[]
  /** The `after` of the next page; absent at the end. */
  readonly next?: string
}

/** What is wrong with a body or an input. */
export interface ValidationCause {
  /** A JSON pointer into the body or input. */
  readonly location: string
  /** As `required`, `format` or `minLength`. */
  readonly kind: string
  readonly details?: Readonly<Record<string, unknown>>
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
    /** No message was sent for this flow, because an earlier one is too recent. A code of that one is good here too, unless it was used. */
    readonly is_unsent?: true
  }
}

/** For a `VerifyOtpAction`: the code; `check` once the link was approved; `resend` for another one. */
export type VerifyOtpInput =
  | {
      readonly code: string
      /** Trusts this device. Only where `device_token_enabled`. */
      readonly request_device_token?: boolean
      /** The response of the bot protection, if the option asks for it. */
      readonly bot_protection?: { readonly type: string; readonly response: string }
    }
  | {
      readonly check: true
      /** Trusts this device. Only where `device_token_enabled`. */
      readonly request_device_token?: boolean
      /** The response of the bot protection, if the option asks for it. */
      readonly bot_protection?: { readonly type: string; readonly response: string }
    }
  | { readonly resend: true }

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
    /** No message was sent for this flow, because an earlier one is too recent. A code of that one is good here too, unless it was used. */
    readonly is_unsent?: true
  }
}

/** For a `VerifyRecoveryCodeAction`. The code of a link is taken without a state, too. */
export type VerifyRecoveryCodeInput =
  | { readonly account_recovery_code: string }
  | { readonly resend: true }

/** Keep the recovery codes. They are shown once. */
export interface ViewRecoveryCodeAction {
  readonly type: 'view_recovery_code'
  readonly data: {
    readonly type: 'view_recovery_code_data'
    readonly recovery_codes: readonly string[]
  }
}

/** For a `ViewRecoveryCodeAction`. */
export interface ViewRecoveryCodeInput {
  readonly confirm_recovery_code: true
}

/** Which page. */
export interface ActivityQuery {
  /** From 1 to 1,000 (default 100). */
  readonly limit?: number
  /** The `next` of the page before. */
  readonly after?: string
}

/** How to list them. */
export interface AppsQuery {
  /** The language of words, as `de` (default: that of the browser). */
  readonly ui_locales?: string
}

/** Which users to list. */
export interface UsersQuery {
  /** A user id, a login ID or its beginning, or a whole name: at most 100 users. */
  readonly search?: string
  /** From 1 to 1,000 (default 100). */
  readonly limit?: number
  /** The `next` of the page before. */
  readonly after?: string
}

/** Which events to list. */
export interface UserEventsQuery {
  /** From 1 to 1,000 (default 100). */
  readonly limit?: number
  /** The `next` of the page before. */
  readonly after?: string
}

/** How to list them. */
export interface UserAppsQuery {
  /** The language of words, as `de` (default: that of the browser). */
  readonly uiLocales?: string
}

/** Which invitations to list. */
export interface InvitationsQuery {
  /** From 1 to 1,000 (default 100). */
  readonly limit?: number
  /** The `next` of the page before. */
  readonly after?: string
}

/** Whose keys to list: at most one owner. */
export interface ApiKeysQuery {
  /** The id of the user. */
  readonly user?: string
  /** Without an owner: the keys of all services, by page. */
  readonly service?: string
  /** From 1 to 1,000 (default 100). */
  readonly limit?: number
  /** The `next` of the page before. */
  readonly after?: string
}

/** What each operation takes and answers, by its method and path. */
export interface AuthCalls {
  readonly 'POST /api/v1/authentication_flows': {
    readonly request: {
      readonly query?:
        | undefined
        | {
            readonly client_id?: string
            /** The reference of an authorization request. */
            readonly x_ref?: string
            readonly state?: string
            readonly x_state?: string
            readonly ui_locales?: string
            readonly login_hint?: string
            /** Of a sign-up: the code of an invitation. */
            readonly x_invitation?: string
          }
      readonly body: {
        readonly type: NewFlowType
        /** `default`, or the name of a declared flow. */
        readonly name: string
        readonly input?: FlowInput
        /** In place of `input`: several. */
        readonly batch_input?: readonly FlowInput[]
        /** The query of the authorization request. */
        readonly url_query?: string
        /** Passed on to hooks; at most 4 KiB. */
        readonly client_context?: unknown
      }
    }
    readonly answer: { readonly result: FlowState }
  }
  readonly 'POST /api/v1/authentication_flows/states/input': {
    readonly request: {
      readonly body: {
        /** Not needed for the code of a recovery link. */ readonly state_token?: string
        readonly input?: FlowInput
        /** In place of `input`: several. */
        readonly batch_input?: readonly FlowInput[]
      }
    }
    readonly answer: { readonly result: FlowState }
  }
  readonly 'POST /api/v1/authentication_flows/states': {
    readonly request: { readonly body: { readonly state_token: string } }
    readonly answer: { readonly result: FlowState }
  }
  readonly 'POST /api/v1/authentication_flows/links/approve': {
    readonly request: { readonly body: { readonly code: string } }
    readonly answer: { readonly result: { readonly approved: true } }
  }
  readonly 'GET /api/v1/authentication_flows/ws': {
    readonly request: {
      readonly query: {
        /** As in `websocket_url`. */ readonly channel: string
      }
    }
    readonly answer: undefined
  }
  readonly 'POST /api/v1/tokens': {
    readonly request: {
      readonly body: {
        /** The value of the session cookie. */ readonly session_token?: string
        /** Used up by this request. */
        readonly refresh_token?: string
      }
    }
    readonly answer: { readonly result: TokenSet }
  }
  readonly 'POST /api/v1/tokens/revoke': {
    readonly request: { readonly body: { readonly refresh_token: string } }
    readonly answer: { readonly result: Readonly<Record<string, never>> }
  }
  readonly 'GET /.well-known/jwks.json': { readonly answer: JwkSet }
  readonly 'GET /api/v1/account': { readonly answer: { readonly result: Account } }
  readonly 'GET /api/v1/account/activity': {
    readonly request: { readonly query?: undefined | ActivityQuery }
    readonly answer: { readonly result: ActivityPage }
  }
  readonly 'GET /api/v1/account/export': { readonly answer: { readonly result: AccountExport } }
  readonly 'POST /api/v1/account/deletion': {
    readonly answer: { readonly result: ScheduledDeletion }
  }
  readonly 'POST /api/v1/account/flows': {
    readonly request: { readonly body: AccountChange }
    readonly answer: { readonly result: FlowState }
  }
  readonly 'DELETE /api/v1/account/identities/:id': {
    readonly request: { readonly path: { readonly id: string } }
    readonly answer: { readonly result: Readonly<Record<string, never>> }
  }
  readonly 'DELETE /api/v1/account/authenticators/:id': {
    readonly request: { readonly path: { readonly id: string } }
    readonly answer: { readonly result: Readonly<Record<string, never>> }
  }
  readonly 'PATCH /api/v1/account/profile': {
    readonly request: { readonly body: { readonly attributes: readonly ProfileChange[] } }
    readonly answer: { readonly result: AccountProfile }
  }
  readonly 'DELETE /api/v1/account/sessions/:id': {
    readonly request: { readonly path: { readonly id: string } }
    readonly answer: { readonly result: Readonly<Record<string, never>> }
  }
  readonly 'POST /api/v1/account/sessions/revoke-others': {
    readonly answer: { readonly result: { readonly revoked: number } }
  }
  readonly 'GET /api/v1/account/api-keys': { readonly answer: { readonly result: OwnApiKeys } }
  readonly 'POST /api/v1/account/api-keys': {
    readonly request: {
      readonly body: {
        /** For people: at most 100 characters. */ readonly name: string
        /** At least one. */
        readonly scopes: readonly string[]
        /** Default: never, if that is allowed. */
        readonly expires_at?: string | null
      }
    }
    readonly answer: { readonly result: CreatedApiKey }
  }
  readonly 'DELETE /api/v1/account/api-keys/:id': {
    readonly request: { readonly path: { readonly id: string } }
    readonly answer: { readonly result: Readonly<Record<string, never>> }
  }
  readonly 'GET /api/v1/account/apps': {
    readonly request: { readonly query?: undefined | AppsQuery }
    readonly answer: { readonly result: AuthorizedApps }
  }
  readonly 'DELETE /api/v1/account/apps/:id': {
    readonly request: { readonly path: { readonly id: string } }
    readonly answer: { readonly result: Readonly<Record<string, never>> }
  }
  readonly 'POST /api/v1/account/device-tokens/revoke': {
    readonly answer: { readonly result: { readonly revoked: number } }
  }
  readonly 'POST /api/v1/account/sign-out': {
    readonly answer: { readonly result: Readonly<Record<string, never>> }
  }
  readonly 'GET /gatehouse/v1/users': {
    readonly request: { readonly query?: undefined | UsersQuery }
    readonly answer: UsersPage
  }
  readonly 'POST /gatehouse/v1/users': {
    readonly request: { readonly body: NewUser }
    readonly answer: { readonly id: string }
  }
  readonly 'POST /gatehouse/v1/users/import': {
    readonly request: { readonly body: { readonly users: readonly ImportedUser[] } }
    readonly answer: { readonly items: readonly ImportOutcome[] }
  }
  readonly 'GET /gatehouse/v1/users/:id': {
    readonly request: { readonly path: { readonly id: string } }
    readonly answer: UserAccount
  }
  readonly 'DELETE /gatehouse/v1/users/:id': {
    readonly request: { readonly path: { readonly id: string } }
    readonly answer: undefined
  }
  readonly 'POST /gatehouse/v1/users/:id/disable': {
    readonly request: {
      readonly path: { readonly id: string }
      readonly body: {
        /** Shown to the user at login. */ readonly reason?: string
      }
    }
    readonly answer: undefined
  }
  readonly 'POST /gatehouse/v1/users/:id/enable': {
    readonly request: { readonly path: { readonly id: string } }
    readonly answer: undefined
  }
  readonly 'GET /gatehouse/v1/users/:id/events': {
    readonly request: {
      readonly path: { readonly id: string }
      readonly query?: undefined | UserEventsQuery
    }
    readonly answer: AuditedEvents
  }
  readonly 'DELETE /gatehouse/v1/users/:id/lockout': {
    readonly request: { readonly path: { readonly id: string } }
    readonly answer: undefined
  }
  readonly 'DELETE /gatehouse/v1/users/:id/sessions': {
    readonly request: { readonly path: { readonly id: string } }
    readonly answer: { readonly revoked: number }
  }
  readonly 'DELETE /gatehouse/v1/users/:id/sessions/:session': {
    readonly request: { readonly path: { readonly id: string; readonly session: string } }
    readonly answer: undefined
  }
  readonly 'GET /gatehouse/v1/users/:id/apps': {
    readonly request: {
      readonly path: { readonly id: string }
      readonly query?: undefined | UserAppsQuery
    }
    readonly answer: UserApps
  }
  readonly 'DELETE /gatehouse/v1/users/:id/apps/:app': {
    readonly request: { readonly path: { readonly id: string; readonly app: string } }
    readonly answer: undefined
  }
  readonly 'POST /gatehouse/v1/users/:id/impersonate': {
    readonly request: {
      readonly path: { readonly id: string }
      readonly body: {
        /** For the audit log. */ readonly reason: string
      }
    }
    readonly answer: ImpersonatedSession
  }
  readonly 'GET /gatehouse/v1/invitations': {
    readonly request: { readonly query?: undefined | InvitationsQuery }
    readonly answer: InvitationsPage
  }
  readonly 'POST /gatehouse/v1/invitations': {
    readonly request: { readonly body: NewInvitation }
    readonly answer: Invitation
  }
  readonly 'DELETE /gatehouse/v1/invitations/:id': {
    readonly request: { readonly path: { readonly id: string } }
    readonly answer: undefined
  }
  readonly 'POST /gatehouse/v1/invitations/:id/resend': {
    readonly request: { readonly path: { readonly id: string } }
    readonly answer: Invitation
  }
  readonly 'GET /gatehouse/v1/api-keys': {
    readonly request: { readonly query?: undefined | ApiKeysQuery }
    readonly answer: ListedApiKeys
  }
  readonly 'POST /gatehouse/v1/api-keys': {
    readonly request: { readonly body: NewOwnedApiKey }
    readonly answer: CreatedOwnedApiKey
  }
  readonly 'DELETE /gatehouse/v1/api-keys/:id': {
    readonly request: { readonly path: { readonly id: string } }
    readonly answer: undefined
  }
}
