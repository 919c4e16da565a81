import type { WrittenRateLimit } from './rate-limits.ts'

/** Names a flow. */
export interface AuthFlowName {
  readonly type: 'signup' | 'promote' | 'login' | 'signup_login' | 'reauth' | 'account_recovery'
  readonly name: string
}

/** The flows that are declared, by type. One named `default` replaces the generated one. */
export interface AuthFlows {
  readonly signup_flows?: readonly AuthFlow<SignupStep>[]
  /** For guests. */
  readonly promote_flows?: readonly AuthFlow<SignupStep>[]
  readonly login_flows?: readonly AuthFlow<LoginStep>[]
  readonly signup_login_flows?: readonly AuthFlow<SignupLoginStep>[]
  /** For a session that is there. */
  readonly reauth_flows?: readonly AuthFlow<ReauthStep>[]
  readonly account_recovery_flows?: readonly AuthFlow<RecoveryStep>[]
  /** How long a flow may take (default `20m`). */
  readonly lifetime?: string
  /** How often states may be asked for and advanced. */
  readonly rate_limits?: {
    /** By address (default 1200 in `1m`). */
    readonly per_ip?: WrittenRateLimit
  }
}

interface AuthFlow<Step> {
  /** Letters, digits and `_`. */
  readonly name: string
  readonly steps: readonly Step[]
}

interface NamedStep<Type extends string> {
  readonly type: Type
  /** What other steps refer to it by. */
  readonly name?: string
}

interface BranchBotProtection {
  readonly mode: 'never' | 'always'
}

/** One way on from a step `identify`. */
interface IdentifyBranch<Step> {
  /** As `email`, `phone`, `username` or `oauth`, or one of your own. */
  readonly identification: string
  readonly bot_protection?: BranchBotProtection
  /** Run right after the step when this branch was taken. */
  readonly steps?: readonly Step[]
}

/** One way on from a step `authenticate`. */
interface AuthenticateBranch<Step> {
  /** As `primary_password` or `secondary_totp`, or one of your own. */
  readonly authentication: string
  /** The step `identify` whose address codes go to. */
  readonly target_step?: string
  readonly bot_protection?: BranchBotProtection
  /** Run right after the step when this branch was taken. */
  readonly steps?: readonly Step[]
}

interface LinkingOverride {
  /** Of a rule of `account_linking`. */
  readonly name: string
  readonly action?: 'error' | 'login_and_link'
  /** The login flow that is gone through (default: the one with the name of the sign-up). */
  readonly login_flow?: string
}

interface SignupBranch extends IdentifyBranch<SignupStep> {
  /** How it departs from `account_linking`. */
  readonly account_linking?: {
    readonly oauth?: readonly LinkingOverride[]
    readonly login_id?: readonly LinkingOverride[]
  }
}

interface CreateBranch extends AuthenticateBranch<SignupStep> {
  /** Whether the address must be proven first (default `true`). */
  readonly verification_required?: boolean
}

type SignupStep =
  | (NamedStep<'identify'> & { readonly one_of: readonly SignupBranch[] })
  | (NamedStep<'create_authenticator'> & { readonly one_of: readonly CreateBranch[] })
  | (NamedStep<'verify'> & {
      /** A step `identify`. */
      readonly target_step: string
    })
  | (NamedStep<'fill_in_user_profile'> & {
      readonly user_profile: readonly {
        /** As `/given_name`. */
        readonly pointer: string
        /** Default `false`. */
        readonly required?: boolean
      }[]
    })
  | NamedStep<'view_recovery_code'>
  | NamedStep<'prompt_create_passkey'>

type LoginStep =
  | (NamedStep<'identify'> & { readonly one_of: readonly IdentifyBranch<LoginStep>[] })
  | (NamedStep<'authenticate'> & {
      /** Whether it is skipped for users who have none of these (default `false`). */
      readonly optional?: boolean
      readonly one_of: readonly AuthenticateBranch<LoginStep>[]
    })
  | NamedStep<'check_account_status'>
  | NamedStep<'terminate_other_sessions'>
  | (NamedStep<'change_password'> & {
      /** A step `authenticate`. */
      readonly target_step: string
    })
  | NamedStep<'view_recovery_code'>
  | NamedStep<'prompt_create_passkey'>

interface SignupLoginBranch {
  /** As `email`, `phone`, `username` or `oauth`, or one of your own. */
  readonly identification: string
  readonly bot_protection?: BranchBotProtection
  /** Which flow it becomes for somebody who is not known. Not needed by those who are known already, as with `passkey`. */
  readonly signup_flow?: string
  /** Which flow it becomes for somebody who is known. */
  readonly login_flow: string
}

type SignupLoginStep = NamedStep<'identify'> & { readonly one_of: readonly SignupLoginBranch[] }

type ReauthStep =
  | (NamedStep<'identify'> & { readonly one_of: readonly IdentifyBranch<ReauthStep>[] })
  | (NamedStep<'authenticate'> & {
      /** Whether it is skipped for users who have none of these (default `false`). */
      readonly optional?: boolean
      readonly one_of: readonly AuthenticateBranch<ReauthStep>[]
    })

interface RecoveryBranch extends IdentifyBranch<RecoveryStep> {
  /** What becomes of an address that nobody has (default `ignore`). */
  readonly on_failure?: 'ignore' | 'error'
}

type RecoveryStep =
  | (NamedStep<'identify'> & { readonly one_of: readonly RecoveryBranch[] })
  | (NamedStep<'select_destination'> & {
      /** Whether the addresses of the account are shown, masked (default `false`). */
      readonly enumerate_destinations?: boolean
      readonly allowed_channels: readonly {
        readonly channel: 'email' | 'sms' | 'whatsapp'
        readonly otp_form: 'code' | 'link'
      }[]
    })
  | NamedStep<'verify_account_recovery_code'>
  | NamedStep<'reset_password'>
