// The parts of the service's answers that the pages use. @see Authentication Flow API v1

/** A state of a flow, with the next action. Its token takes the input. */
export interface FlowState {
  readonly state_token: string
  /** The type of the flow: one created as `signup_login` becomes `signup` or `login` once it knows. */
  readonly type: string
  readonly action: FlowAction
}

export interface FlowAction {
  readonly type: string
  readonly identification?: string
  readonly authentication?: string
  readonly data: ActionData
}

/** A refused input. `reason` is for programs, `message` for programmers. */
export interface ApiError {
  readonly reason: string
  readonly message: string
  readonly code: number
  readonly info?: ErrorInfo
}

export interface ErrorInfo {
  readonly AuthenticationType?: string
  readonly IdentityTypeIncoming?: string
  readonly bucket_name?: string
  readonly error?: string
  readonly cause?: { readonly kind: string }
  readonly causes?: readonly (ValidationCause | PolicyCause)[]
}

export interface ValidationCause {
  readonly location: string
  readonly kind: string
  readonly details?: { readonly format?: string; readonly reason?: string }
}

export interface PolicyCause {
  readonly Name: string
  readonly Info?: { readonly min_length?: number; readonly max_length?: number }
}

export type ActionData =
  | { readonly type: 'identification_data'; readonly options: readonly IdentificationOption[] }
  | {
      readonly type: 'account_recovery_identification_data'
      readonly options: readonly IdentificationOption[]
    }
  | {
      readonly type: 'account_linking_identification_data'
      readonly options: readonly IdentificationOption[]
    }
  | OAuthData
  | AuthenticationData
  | { readonly type: 'create_authenticator_data'; readonly options: readonly CreationOption[] }
  | TotpData
  | OtpData
  | {
      readonly type: 'select_oob_otp_channels_data'
      readonly channels: readonly string[]
      readonly masked_claim_value: string
    }
  | { readonly type: 'view_recovery_code_data'; readonly recovery_codes: readonly string[] }
  | PasskeyData
  | NewPasswordData
  | {
      readonly type: 'account_recovery_select_destination_data'
      readonly options: readonly Destination[]
    }
  | RecoveryCodeData
  | FinishedData

export interface IdentificationOption {
  readonly identification: string
  /** For `oauth`. */
  readonly alias?: string
  readonly oauth_provider_alias?: string
  readonly oauth_provider_type?: string
  readonly provider_status?: string
  /** For `select_account`. */
  readonly display_name?: string
  /** For account linking. */
  readonly masked_display_name?: string
  /** For `passkey`: `PublicKeyCredentialRequestOptionsJSON`. */
  readonly request_options?: object
}

export interface OAuthData {
  readonly type: 'oauth_data'
  readonly oauth_provider_type: string
  readonly oauth_provider_alias?: string
  readonly oauth_authorization_url: string
}

export interface AuthenticationData {
  readonly type: 'authentication_data'
  readonly options: readonly AuthenticationOption[]
  readonly device_token_enabled?: boolean
}

export interface AuthenticationOption {
  readonly authentication: string
  readonly otp_form?: OtpForm
  readonly masked_display_name?: string
  readonly channels?: readonly string[]
  readonly request_options?: object
}

export interface CreationOption {
  readonly authentication: string
  readonly password_policy?: PasswordPolicy
  /** Absent if the user has to enter the address. */
  readonly target?: { readonly masked_display_name: string }
}

export interface TotpData {
  readonly type: 'create_totp_data'
  readonly secret: string
  readonly otpauth_uri: string
}

export type OtpForm = 'code' | 'link'

export interface OtpData {
  readonly type: 'verify_oob_otp_data'
  readonly channel: string
  readonly otp_form: OtpForm
  readonly masked_claim_value: string
  readonly websocket_url?: string
  readonly can_resend_at: string
  readonly can_check: boolean
  readonly failed_attempt_rate_limit_exceeded: boolean
  readonly delivery_status?: string
}

export interface PasskeyData {
  readonly type: 'create_passkey_data'
  /** `PublicKeyCredentialCreationOptionsJSON`. */
  readonly creation_options: object
  readonly allow_do_not_ask_again?: boolean
}

export interface NewPasswordData {
  readonly type: 'new_password_data'
  readonly password_policy: PasswordPolicy
  readonly force_change_reason?: string
  readonly masked_target?: string
}

export interface PasswordPolicy {
  readonly minimum_length?: number
  readonly uppercase_required?: boolean
  readonly lowercase_required?: boolean
  readonly alphabet_required?: boolean
  readonly digit_required?: boolean
  readonly symbol_required?: boolean
}

export interface Destination {
  readonly masked_display_name: string
  readonly channel: string
  readonly otp_form: OtpForm
}

export interface RecoveryCodeData {
  readonly type: 'account_recovery_verify_code_data'
  readonly masked_display_name: string
  readonly channel: string
  readonly otp_form: OtpForm
  readonly can_resend_at: string
  readonly failed_attempt_rate_limit_exceeded: boolean
}

/** For steps without data, and for `finished`. */
export interface FinishedData {
  readonly type?: undefined
  /** Where the browser continues, if the flow answers an authorization request. */
  readonly finish_redirect_uri?: string
}
