/** The types of flows that a configuration can declare and a client can create. */
export type DeclaredFlowType =
  | 'signup'
  | 'login'
  | 'signup_login'
  | 'account_recovery'
  | 'promote'
  | 'reauth'

/** The types of flows. `account` changes the account of a signed-in user; only `beginAccountFlow` creates one. */
export type FlowType = DeclaredFlowType | 'account'

/** How users identify themselves: `email`, `phone`, `username`, `oauth`, … */
export type Identification = string

/** How users authenticate: `primary_password`, `secondary_totp`, `recovery_code`, … */
export type Authentication = string

/** Where a code goes. */
export type Channel = 'email' | 'sms' | 'whatsapp'

/** How users prove that a message arrived: they type a code or open a link. */
export type OtpForm = 'code' | 'link'

/** Whether a CAPTCHA comes first. */
export interface BranchBotProtection {
  readonly mode: 'never' | 'always'
}

/** How to treat a new identity that shares a claim with an existing account. */
export type LinkingAction = 'error' | 'login_and_link'

/** How a flow departs from the configuration's rule of the same name. */
export interface LinkingOverride {
  readonly name: string
  readonly action?: LinkingAction
  /** The login flow that is gone through (default: the one with the name of the sign-up). */
  readonly login_flow?: string
}

/** One way on from an `identify` step. */
export interface IdentifyBranch {
  readonly identification: Identification
  readonly bot_protection?: BranchBotProtection
  /** For `signup` and `promote`. */
  readonly account_linking?: {
    readonly oauth?: readonly LinkingOverride[]
    readonly login_id?: readonly LinkingOverride[]
  }
  /** Run right after the step when this branch was taken. */
  readonly steps?: readonly Step[]
  /** For `signup_login`: the flows it turns into. */
  readonly signup_flow?: string
  readonly login_flow?: string
  /** For `account_recovery` (default `ignore`). */
  readonly on_failure?: 'ignore' | 'error'
}

/** One way on from an `authenticate` or `create_authenticator` step. */
export interface AuthenticateBranch {
  readonly authentication: Authentication
  /** The step whose identity the code is sent to. */
  readonly target_step?: string
  /** Whether an address must be proven before it becomes an authenticator (default true). */
  readonly verification_required?: boolean
  readonly bot_protection?: BranchBotProtection
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

/** A step that is not declared, but demanded. */
interface DemandedStep {
  /** The flow cannot go on unless the step's options together give these `amr` values. */
  readonly demanded_amr?: readonly string[]
}

export interface AuthenticateStep extends StepOf<'authenticate'>, DemandedStep {
  /** Whether it is skipped where it has no options (default false). */
  readonly optional?: boolean
  readonly one_of: readonly AuthenticateBranch[]
}

export interface CreateAuthenticatorStep extends StepOf<'create_authenticator'>, DemandedStep {
  readonly one_of: readonly AuthenticateBranch[]
}

export interface VerifyStep extends StepOf<'verify'> {
  readonly target_step: string
  /** Of a step that a flow adds itself: the identity to verify, in place of that of `target_step`. */
  readonly identity_id?: string
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

/**
 * A step that is nothing but its type. No flow declares `link_identity`: it is put behind the steps of a login that a sign-up has
 * gone through, and the sign-up goes on with it.
 */
export type PlainStep = StepOf<
  | 'link_identity'
  | 'view_recovery_code'
  | 'prompt_create_passkey'
  | 'check_account_status'
  | 'terminate_other_sessions'
  | 'verify_account_recovery_code'
  | 'reset_password'
>

/** A step that was entered, for those that refer to it. */
export interface EnteredStep {
  readonly name?: string
  readonly type: StepType
  /** Which way was taken. */
  readonly identification?: Identification
  readonly authentication?: Authentication
  /** The identity an `identify` step made or found. */
  readonly identity_id?: string
  /** The same as it came in, as it may be shown. */
  readonly identity_display?: string
  /** The authenticator an `authenticate` step used. */
  readonly authenticator_id?: string
}

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
