import { mappingOf, wholeOf } from '../../../document/fields.ts'
import {
  type Decode,
  findMember,
  memberOrSelf,
  type Place,
  report,
} from '../../../document/place.ts'
import { filledListOf, flag, knownWord, listOf, oneOf, text } from '../../../document/values.ts'
import type {
  AuthenticateStep,
  ChangePasswordStep,
  Channel,
  CreateAuthenticatorStep,
  FillInUserProfileStep,
  IdentifyStep,
  PlainStep,
  ProfileField,
  RecoveryChannel,
  SelectDestinationStep,
  Step,
  VerifyStep,
} from '../flow-definition.ts'
import { objectName } from '../values.ts'
import { authenticateBranch, type FlowScope, identifyBranch, targetStep } from './flow-branches.ts'
import type { FlowGrammar, FurtherKinds, GrammarStep } from './flow-grammar.ts'
import type { DocumentNotes, FlowNotes } from './flow-notes.ts'

/** What the steps of one flow are read with. */
export interface StepsOptions {
  readonly grammar: FlowGrammar
  readonly further: FurtherKinds
  readonly notes: DocumentNotes
  /** Takes what is named in the flow. */
  readonly flow: FlowNotes
}

/** The steps of one flow. */
export function flowSteps(options: StepsOptions): Decode<readonly Step[]> {
  const { grammar, flow } = options
  const nested: Decode<readonly Step[]> = (place) => listOf(step)(place)
  const scope: FlowScope = {
    ...options,
    target: (reference) => void flow.targets.push(reference),
    steps: nested,
  }
  const kinds = stepKinds(scope)
  const step: Decode<Step> = (place) => {
    const type = stepType(place, grammar.steps)
    if (type === undefined) return undefined
    noteName(place, type, flow)
    return kinds[type](place)
  }
  return filledListOf(step)
}

function stepType(place: Place, types: readonly GrammarStep[]): GrammarStep | undefined {
  const typePlace = findMember(place, 'type')
  if (typePlace === undefined) {
    const isMapping = place.node.kind === 'mapping'
    if (!isMapping) return report(place, 'wrong_type', 'must be a mapping')
    return report(memberOrSelf(place, 'type'), 'required', 'is missing')
  }
  const written = text(typePlace)
  return written === undefined ? undefined : knownWord(typePlace, written, types)
}

function noteName(place: Place, type: string, { steps }: FlowNotes): void {
  const node = findMember(place, 'name')?.node
  if (node?.kind !== 'scalar') return
  steps.set(node.text, new Set(steps.get(node.text)).add(type))
}

/** How each type of step is read. The type itself is known by then. */
type StepKinds = { readonly [Type in GrammarStep]: Decode<Step> }

function stepKinds(scope: FlowScope): StepKinds {
  const named = { name: objectName }
  const plain = <Type extends PlainStep['type']>(type: Type): Decode<Step> =>
    wholeOf<PlainStep & { readonly type: Type }>(
      { type: oneOf(type), ...named },
      { required: ['type'] },
    )
  return {
    identify: wholeOf<IdentifyStep>(
      { type: oneOf('identify'), ...named, one_of: filledListOf(identifyBranch(scope)) },
      { required: ['type', 'one_of'] },
    ),
    authenticate: wholeOf<AuthenticateStep>(
      {
        type: oneOf('authenticate'),
        ...named,
        optional: flag,
        one_of: filledListOf(authenticateBranch(scope, false)),
      },
      { required: ['type', 'one_of'] },
    ),
    create_authenticator: wholeOf<Omit<CreateAuthenticatorStep, 'is_demanded'>>(
      {
        type: oneOf('create_authenticator'),
        ...named,
        one_of: filledListOf(authenticateBranch(scope, true)),
      },
      { required: ['type', 'one_of'] },
    ),
    verify: wholeOf<VerifyStep>(
      { type: oneOf('verify'), ...named, target_step: targetStep(scope, ['identify']) },
      { required: ['type', 'target_step'] },
    ),
    change_password: wholeOf<ChangePasswordStep>(
      {
        type: oneOf('change_password'),
        ...named,
        target_step: targetStep(scope, ['authenticate']),
      },
      { required: ['type', 'target_step'] },
    ),
    fill_in_user_profile: wholeOf<FillInUserProfileStep>(
      {
        type: oneOf('fill_in_user_profile'),
        ...named,
        user_profile: filledListOf(profileField(scope)),
      },
      { required: ['type', 'user_profile'] },
    ),
    select_destination: wholeOf<SelectDestinationStep>(
      {
        type: oneOf('select_destination'),
        ...named,
        enumerate_destinations: flag,
        allowed_channels: recoveryChannels('email', 'sms', 'whatsapp'),
      },
      { required: ['type', 'allowed_channels'] },
    ),
    view_recovery_code: plain('view_recovery_code'),
    prompt_create_passkey: plain('prompt_create_passkey'),
    check_account_status: plain('check_account_status'),
    terminate_other_sessions: plain('terminate_other_sessions'),
    verify_account_recovery_code: plain('verify_account_recovery_code'),
    reset_password: plain('reset_password'),
  }
}

const writtenField = mappingOf<ProfileField>(
  { pointer: text, required: flag },
  { required: ['pointer'] },
)

function profileField({ notes }: FlowScope): Decode<ProfileField> {
  return (place) => {
    const { pointer, required = false } = writtenField(place) ?? {}
    if (pointer === undefined) return undefined
    notes.attributes.push({ place: memberOrSelf(place, 'pointer'), name: pointer })
    return { pointer, required }
  }
}

const channelForm = oneOf('code', 'link')

/** Where account recovery may send to, of some channels. */
export function recoveryChannels(
  ...channels: readonly Channel[]
): Decode<readonly RecoveryChannel[]> {
  const channel = wholeOf<RecoveryChannel>(
    { channel: oneOf(...channels), otp_form: channelForm },
    { required: ['channel', 'otp_form'] },
  )
  return filledListOf((place: Place) => {
    const given = channel(place)
    if (given?.channel === 'whatsapp' && given.otp_form === 'link') {
      return report(memberOrSelf(place, 'otp_form'), 'conflict', 'whatsapp carries codes alone')
    }
    return given
  })
}
