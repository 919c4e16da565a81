import {
  checked,
  type Fields,
  filledListOf,
  flag,
  listOf,
  mapping,
  noted,
  oneOf,
  optional,
  recursive,
  required,
  type Schema,
  text,
  variants,
  withDefault,
} from '../../../document/schema.ts'
import type {
  AuthenticateStep,
  ChangePasswordStep,
  CreateAuthenticatorStep,
  FillInUserProfileStep,
  IdentifyStep,
  PlainStep,
  ProfileField,
  RecoveryChannel,
  SelectDestinationStep,
  Step,
  StepType,
  VerifyStep,
} from '../flow-definition.ts'
import { objectName } from '../values.ts'
import { authenticateBranch, identifyBranch, type Nesting } from './flow-branches.ts'
import type { FlowGrammar, GrammarStep } from './flow-grammar.ts'

/** The steps of flows of one grammar. `title` begins the names of their types in the JSON Schema. */
export function flowSteps(grammar: FlowGrammar, title: string): Schema<readonly Step[]> {
  const step: Schema<Step> = recursive(() => anyStep)
  const nesting: Nesting = { grammar, title, step }
  const anyStep = variants(
    'type',
    new Map(grammar.steps.map((type) => [type, stepKinds[type](nesting)])),
  )
  return filledListOf(step)
}

/** The keys that every step has. */
const common = <Type extends StepType>(
  type: Type,
): Fields<{ readonly type: Type; readonly name?: string }> => ({
  type: required(oneOf(type), 'The type of the step.'),
  name: optional(objectName, 'The name that other steps refer to.'),
})

const titleOf = (type: string): string =>
  `${type.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Step`

const plainStep = (type: PlainStep['type']): (() => Schema<Step>) => {
  const step = mapping<PlainStep>(common(type), { title: titleOf(type), isOpen: true })
  return () => step
}

const verify = mapping<Omit<VerifyStep, 'identity_id'>>(
  { ...common('verify'), target_step: required(objectName, 'A step `identify`.') },
  { title: 'VerifyStep', isOpen: true },
)

const changePassword = mapping<ChangePasswordStep>(
  {
    ...common('change_password'),
    target_step: required(objectName, 'A step `authenticate`.'),
  },
  { title: 'ChangePasswordStep', isOpen: true },
)

const fillInUserProfile = mapping<FillInUserProfileStep>(
  {
    ...common('fill_in_user_profile'),
    user_profile: required(
      noted(
        listOf(
          mapping<ProfileField>(
            {
              pointer: required(text, 'The attribute, as `/given_name`.'),
              required: withDefault(flag, false, 'Whether it must be given.'),
            },
            { isOpen: true },
          ),
        ),
        (attributes) => (attributes.length === 0 ? 'is empty: nothing is asked for' : undefined),
      ),
      'The attributes to fill in.',
    ),
  },
  { title: 'FillInUserProfileStep', isOpen: true },
)

/** Where account recovery may send to. */
export const recoveryChannels: Schema<readonly RecoveryChannel[]> = noted(
  listOf(
    checked(
      mapping<RecoveryChannel>(
        {
          channel: required(oneOf('email', 'sms', 'whatsapp'), 'The channel.'),
          otp_form: required(oneOf('code', 'link'), 'The content of a message: a code or a link.'),
        },
        { isOpen: true },
      ),
      ({ value: { channel, otp_form }, report }) => {
        if (channel !== 'whatsapp' || otp_form !== 'link') return
        report(['otp_form'], 'conflict', 'whatsapp carries codes alone')
      },
    ),
  ),
  (channels) => (channels.length === 0 ? 'is empty: nothing can be sent' : undefined),
)

const selectDestination = mapping<SelectDestinationStep>(
  {
    ...common('select_destination'),
    enumerate_destinations: optional(
      flag,
      'Whether the addresses of the account are shown, masked. Default: `false`.',
    ),
    allowed_channels: withDefault(
      recoveryChannels,
      [
        { channel: 'email', otp_form: 'link' },
        { channel: 'sms', otp_form: 'code' },
      ],
      'The allowed channels of the message.',
    ),
  },
  { title: 'SelectDestinationStep', isOpen: true },
)

const branches = <T>(branch: Schema<T>): Schema<readonly T[]> =>
  required(
    noted(listOf(branch), (ways) =>
      ways.length === 0 ? 'is empty: nobody gets past this step' : undefined,
    ),
    'The ways on, in the order in which they are offered.',
  )

/** How each type of step is decoded. */
const stepKinds: {
  readonly [Type in GrammarStep]: (nesting: Nesting) => Schema<Step>
} = {
  identify: (nesting) =>
    mapping<IdentifyStep>(
      { ...common('identify'), one_of: branches(identifyBranch(nesting)) },
      { title: `${nesting.title}IdentifyStep`, isOpen: true },
    ),
  authenticate: (nesting) =>
    mapping<Omit<AuthenticateStep, 'demanded_amr'>>(
      {
        ...common('authenticate'),
        optional: optional(
          flag,
          'Whether it is skipped for users who have none of these. Default: `false`.',
        ),
        one_of: branches(authenticateBranch(nesting, false)),
      },
      { title: `${nesting.title}AuthenticateStep`, isOpen: true },
    ),
  create_authenticator: (nesting) =>
    mapping<Omit<CreateAuthenticatorStep, 'demanded_amr'>>(
      { ...common('create_authenticator'), one_of: branches(authenticateBranch(nesting, true)) },
      { title: `${nesting.title}CreateAuthenticatorStep`, isOpen: true },
    ),
  verify: () => verify,
  change_password: () => changePassword,
  fill_in_user_profile: () => fillInUserProfile,
  select_destination: () => selectDestination,
  view_recovery_code: plainStep('view_recovery_code'),
  prompt_create_passkey: plainStep('prompt_create_passkey'),
  check_account_status: plainStep('check_account_status'),
  terminate_other_sessions: plainStep('terminate_other_sessions'),
  verify_account_recovery_code: plainStep('verify_account_recovery_code'),
  reset_password: plainStep('reset_password'),
}
