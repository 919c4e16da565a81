import { wholeOf } from '../../../document/fields.ts'
import {
  type Decode,
  findMember,
  memberOrSelf,
  type Place,
  report,
  warn,
} from '../../../document/place.ts'
import { quoteKey } from '../../../document/problem.ts'
import { flag, knownWord, oneOf, text } from '../../../document/values.ts'
import { linkingOverrides } from '../account-linking.ts'
import { branchBotProtection } from '../bot-protection.ts'
import type {
  AuthenticateBranch,
  DeclaredFlowType,
  IdentifyBranch,
  Step,
} from '../flow-definition.ts'
import { ignoring } from '../ignored.ts'
import { objectName } from '../values.ts'
import { type FlowGrammar, type FurtherKinds, notBuiltIn } from './flow-grammar.ts'
import type { DocumentNotes, StepReference } from './flow-notes.ts'

/** What is known while one flow is read. */
export interface FlowScope {
  readonly grammar: FlowGrammar
  readonly further: FurtherKinds
  /** Takes note of a step that is named by another. */
  readonly target: (reference: StepReference) => void
  readonly notes: DocumentNotes
  /** Nested steps. */
  readonly steps: Decode<readonly Step[]>
}

/** One of the words of a grammar; warns of one that nothing is behind. */
function branchWord(words: readonly string[], further: readonly string[]): Decode<string> {
  return (place) => {
    const written = text(place)
    if (written === undefined || further.includes(written)) return written
    const word = knownWord(place, written, words)
    if (word !== undefined && notBuiltIn.has(word)) {
      warn(place, `${quoteKey(word)} is not built in: this branch is never offered`)
    }
    return word
  }
}

type Nesting = Pick<IdentifyBranch, 'identification' | 'steps' | 'bot_protection'>
type Linking = Nesting & Pick<IdentifyBranch, 'account_linking'>
type Branching = Pick<
  IdentifyBranch,
  'identification' | 'signup_flow' | 'login_flow' | 'bot_protection'
>
type Recovering = Pick<IdentifyBranch, 'identification' | 'steps' | 'on_failure' | 'bot_protection'>

const options = {
  required: ['identification'],
  ignored: ignoring('account_linking'),
} as const

/** A branch of a step `identify`. */
export function identifyBranch(scope: FlowScope): Decode<IdentifyBranch> {
  const { grammar, further, notes, steps } = scope
  const bot_protection = branchBotProtection
  const identification = branchWord(grammar.identifications, further.identifications)
  if (grammar.type === 'signup_login') return branchingOf(scope, identification)
  if (grammar.type === 'signup' || grammar.type === 'promote') {
    const account_linking = linkingOverrides(notes)
    const fields = { identification, steps, bot_protection, account_linking }
    return wholeOf<Linking>(fields, { required: ['identification'] })
  }
  if (grammar.type !== 'account_recovery') {
    return wholeOf<Nesting>({ identification, steps, bot_protection }, options)
  }
  const on_failure = oneOf('ignore', 'error')
  return wholeOf<Recovering>({ identification, steps, on_failure, bot_protection }, options)
}

/** A branch that becomes another flow. Whoever is known already signs in, so these name no flow of the other type. */
function branchingOf({ notes }: FlowScope, identification: Decode<string>): Decode<IdentifyBranch> {
  const flowOf =
    (type: DeclaredFlowType): Decode<string> =>
    (place) => {
      const name = objectName(place)
      if (name !== undefined) notes.flows.push({ place, type, name })
      return name
    }
  const fields = {
    identification,
    bot_protection: branchBotProtection,
    signup_flow: flowOf('signup'),
    login_flow: flowOf('login'),
  }
  const branching = wholeOf<Branching>(fields, options)
  return (place) => {
    const branch = branching(place)
    if (branch === undefined) return undefined
    const isKnown = ['select_account', 'passkey', 'id_token'].includes(branch.identification)
    for (const key of isKnown ? ['login_flow'] : ['signup_flow', 'login_flow']) {
      if (findMember(place, key) !== undefined) continue
      report(memberOrSelf(place, key), 'required', 'is missing')
    }
    return branch
  }
}

/** A branch of a step `authenticate` or `create_authenticator`. */
export function authenticateBranch(
  scope: FlowScope,
  isCreation: boolean,
): Decode<AuthenticateBranch> {
  const { grammar, further, steps } = scope
  const fields = {
    authentication: branchWord(grammar.authentications, further.authentications),
    target_step: targetStep(scope, ['identify']),
    bot_protection: branchBotProtection,
    steps,
  }
  const named = { required: ['authentication'] } as const
  if (isCreation) {
    return wholeOf<AuthenticateBranch>({ ...fields, verification_required: flag }, named)
  }
  return wholeOf<Omit<AuthenticateBranch, 'verification_required'>>(fields, named)
}

/** The name of another step of the flow, which must be of one of some types. */
export function targetStep(
  { target }: Pick<FlowScope, 'target'>,
  types: readonly string[],
): Decode<string> {
  return (place: Place) => {
    const name = objectName(place)
    if (name !== undefined) target({ place, name, types })
    return name
  }
}
