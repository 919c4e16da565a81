import type { DeclaredFlowType, StepType } from '../flow-definition.ts'

/** A step that a document may declare. */
export type GrammarStep = Exclude<StepType, 'link_identity'>

/** The steps and branches that a type of flow may have. @see Authgear, `authentication_flow` */
export interface FlowGrammar {
  readonly type: DeclaredFlowType
  readonly steps: readonly GrammarStep[]
  readonly identifications: readonly string[]
  /** For its steps `authenticate` and `create_authenticator`. */
  readonly authentications: readonly string[]
}

/** Names of what is passed in by the program, beside what is built in. */
export interface FurtherKinds {
  readonly identifications: readonly string[]
  readonly authentications: readonly string[]
}

const primary = [
  'primary_password',
  'primary_passkey',
  'primary_oob_otp_email',
  'primary_oob_otp_sms',
]
const secondary = [
  'secondary_password',
  'secondary_totp',
  'secondary_oob_otp_email',
  'secondary_oob_otp_sms',
]
const loginIds = ['email', 'phone', 'username']
/** How users who exist can say who they are. */
const ofExistingUsers = [...loginIds, 'oauth', 'passkey', 'ldap', 'id_token', 'select_account']

const signup = {
  steps: [
    'identify',
    'create_authenticator',
    'verify',
    'fill_in_user_profile',
    'view_recovery_code',
    'prompt_create_passkey',
  ],
  identifications: [...loginIds, 'oauth', 'ldap'],
  authentications: [...primary, ...secondary],
} as const

/** The keys of `authentication_flow` under which flows are declared, and what these are made of. */
export const flowGrammars: {
  readonly [Key in `${DeclaredFlowType}_flows`]: FlowGrammar
} = {
  signup_flows: { type: 'signup', ...signup },
  promote_flows: { type: 'promote', ...signup },
  login_flows: {
    type: 'login',
    steps: [
      'identify',
      'authenticate',
      'check_account_status',
      'terminate_other_sessions',
      'change_password',
      'view_recovery_code',
      'prompt_create_passkey',
    ],
    identifications: ofExistingUsers,
    authentications: [...primary, ...secondary, 'recovery_code', 'device_token'],
  },
  signup_login_flows: {
    type: 'signup_login',
    steps: ['identify'],
    identifications: ofExistingUsers,
    authentications: [],
  },
  reauth_flows: {
    type: 'reauth',
    steps: ['identify', 'authenticate'],
    identifications: ['id_token'],
    authentications: [...primary, ...secondary],
  },
  account_recovery_flows: {
    type: 'account_recovery',
    steps: ['identify', 'select_destination', 'verify_account_recovery_code', 'reset_password'],
    identifications: loginIds,
    authentications: [],
  },
}

/** The types of flows. */
export const flowTypes: readonly DeclaredFlowType[] = Object.values(flowGrammars).map(
  ({ type }) => type,
)
