/** What a flow is for. */
export type FlowType =
  | 'signup'
  | 'login'
  | 'signup_login'
  | 'account_recovery'
  | 'promote'
  | 'reauth'

/** By what somebody says who they are: `email`, `phone`, `username`, `oauth`, … */
export type Identification = string

/** By what somebody shows it: `primary_password`, `secondary_totp`, `recovery_code`, … */
export type Authentication = string

/** Where a code goes. */
export type Channel = 'email' | 'sms' | 'whatsapp'

/** What proves that a message arrived: a code that is typed, or a link that is opened. */
export type OtpForm = 'code' | 'link'

/** One way on from an `identify` step. */
export interface IdentifyBranch {
  readonly identification: Identification
  /** Run right after the step when this branch was taken. */
  readonly steps?: readonly Step[]
  /** Of `signup_login`: which flows it becomes. */
  readonly signup_flow?: string
  readonly login_flow?: string
  /** Of `account_recovery` (default `ignore`). */
  readonly on_failure?: 'ignore' | 'error'
}

/** One way on from an `authenticate` or `create_authenticator` step. */
export interface AuthenticateBranch {
  readonly authentication: Authentication
  /** The step whose identity the code is sent to. */
  readonly target_step?: string
  /** Whether an address must be proven before it becomes an authenticator (default true). */
  readonly verification_required?: boolean
  readonly steps?: readonly Step[]
}

/** Where account recovery may send to. */
export interface RecoveryChannel {
  readonly channel: Channel
  readonly otp_form: OtpForm
}

/** An attribute that a step asks for. */
export interface ProfileField {
  /** A JSON pointer, as `/given_name`. */
  readonly pointer: string
  readonly required: boolean
}

interface StepOf<Type extends string> {
  readonly type: Type
  /** How other steps refer to it by their `target_step`. */
  readonly name?: string
}

export interface IdentifyStep extends StepOf<'identify'> {
  readonly one_of: readonly IdentifyBranch[]
}

export interface AuthenticateStep extends StepOf<'authenticate'> {
  /** Whether it is skipped where it has no options (default false). */
  readonly optional?: boolean
  readonly one_of: readonly AuthenticateBranch[]
}

export interface CreateAuthenticatorStep extends StepOf<'create_authenticator'> {
  readonly one_of: readonly AuthenticateBranch[]
}

export interface VerifyStep extends StepOf<'verify'> {
  readonly target_step: string
}

export interface FillInUserProfileStep extends StepOf<'fill_in_user_profile'> {
  readonly user_profile: readonly ProfileField[]
}

export interface ChangePasswordStep extends StepOf<'change_password'> {
  readonly target_step: string
}

export interface SelectDestinationStep extends StepOf<'select_destination'> {
  readonly enumerate_destinations?: boolean
  readonly allowed_channels: readonly RecoveryChannel[]
}

/** A step that is nothing but its type. */
export type PlainStep = StepOf<
  | 'view_recovery_code'
  | 'check_account_status'
  | 'terminate_other_sessions'
  | 'verify_account_recovery_code'
  | 'reset_password'
>

/** One step of a flow. JSON: it is kept in the states of the flows that run it. */
export type Step =
  | IdentifyStep
  | AuthenticateStep
  | CreateAuthenticatorStep
  | VerifyStep
  | FillInUserProfileStep
  | ChangePasswordStep
  | SelectDestinationStep
  | PlainStep

export type StepType = Step['type']

/** The steps of one flow, declared or generated. */
export interface FlowDefinition {
  readonly type: FlowType
  readonly name: string
  readonly steps: readonly Step[]
}
