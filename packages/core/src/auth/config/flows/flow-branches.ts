import {
  checked,
  type Fields,
  flag,
  listOf,
  mapping,
  oneOf,
  optional,
  parsedText,
  required,
  type Schema,
  unknownWord,
} from '../../../document/schema.ts'
import { linkingOverrides } from '../account-linking.ts'
import { branchBotProtection } from '../bot-protection.ts'
import type { AuthenticateBranch, IdentifyBranch, Step } from '../flow-definition.ts'
import { ignoring } from '../ignored.ts'
import { objectName } from '../values.ts'
import type { FlowGrammar, FurtherKinds } from './flow-grammar.ts'

/** One of the words of a grammar, or one that the program has passed in. */
function branchWord(
  words: readonly string[],
  furtherOf: (kinds: FurtherKinds) => readonly string[],
): Schema<string> {
  const word = parsedText<string, FurtherKinds>((written, report, kinds) =>
    words.includes(written) || furtherOf(kinds).includes(written)
      ? written
      : report('out_of_range', unknownWord(written, words)),
  )
  return required(word, `One of ${words.map((one) => `\`${one}\``).join(', ')}, or your own.`)
}

/** The names of a grammar's steps and branches in the JSON Schema, and the steps nested in branches. */
export interface Nesting {
  readonly grammar: FlowGrammar
  readonly title: string
  readonly step: Schema<Step>
}

type Common = Pick<IdentifyBranch, 'identification' | 'bot_protection'>

/** A branch of a step `identify`. */
export function identifyBranch({ grammar, title: start, step }: Nesting): Schema<IdentifyBranch> {
  const title = `${start}IdentifyBranch`
  const common: Fields<Common> = {
    identification: branchWord(grammar.identifications, (kinds) => kinds.identifications),
    bot_protection: optional(branchBotProtection, 'Whether a CAPTCHA is required here.'),
  }
  if (grammar.type === 'signup_login') return branching(common, title)
  const nesting = { ...common, steps: nestedSteps(step) }
  if (grammar.type === 'signup' || grammar.type === 'promote') {
    const account_linking = optional(linkingOverrides, 'How it departs from `account_linking`.')
    return mapping<Omit<IdentifyBranch, 'signup_flow' | 'login_flow' | 'on_failure'>>(
      { ...nesting, account_linking },
      { title, isOpen: true },
    )
  }
  const options = { title, ignored: ignoring('account_linking'), isOpen: true }
  if (grammar.type !== 'account_recovery') {
    return mapping<Common & Pick<IdentifyBranch, 'steps'>>(nesting, options)
  }
  const on_failure = optional(
    oneOf('ignore', 'error'),
    'How to treat an address without an account. Default: `ignore`.',
  )
  return mapping<Common & Pick<IdentifyBranch, 'steps' | 'on_failure'>>(
    { ...nesting, on_failure },
    options,
  )
}

const nestedSteps = (step: Schema<Step>): Schema<readonly Step[] | undefined> =>
  optional(listOf(step), 'Run right after the step when this branch was taken.')

/** A branch that becomes another flow. People who are known already sign in, so these name no flow of the other type. */
const branching = (common: Fields<Common>, title: string): Schema<IdentifyBranch> =>
  checked(
    mapping<Common & Pick<IdentifyBranch, 'signup_flow' | 'login_flow'>>(
      {
        ...common,
        signup_flow: optional(
          objectName,
          'The flow for an unknown identity. Not needed where the identity must be known, as with `passkey`.',
        ),
        login_flow: optional(objectName, 'The flow for a known identity. Required.'),
      },
      { title, ignored: ignoring('account_linking'), isOpen: true },
    ),
    ({ value, isBroken, report }) => {
      if (value.identification === undefined) return
      const isKnown = ['select_account', 'passkey', 'id_token'].includes(value.identification)
      for (const key of ['signup_flow', 'login_flow'] as const) {
        if ((isKnown && key === 'signup_flow') || value[key] !== undefined || isBroken(key)) {
          continue
        }
        report([key], 'required', 'is missing')
      }
    },
  )

/** A branch of a step `authenticate` or `create_authenticator`. */
export function authenticateBranch(
  { grammar, title, step }: Nesting,
  isCreation: boolean,
): Schema<AuthenticateBranch> {
  const fields: Fields<Omit<AuthenticateBranch, 'verification_required'>> = {
    authentication: branchWord(grammar.authentications, (kinds) => kinds.authentications),
    target_step: optional(objectName, 'The step `identify` whose address codes go to.'),
    bot_protection: optional(branchBotProtection, 'Whether a CAPTCHA is required here.'),
    steps: nestedSteps(step),
  }
  if (!isCreation) return mapping(fields, { title: `${title}AuthenticateBranch`, isOpen: true })
  const verification_required = optional(
    flag,
    'Whether the address must be proven first. Default: `true`.',
  )
  return mapping<AuthenticateBranch>(
    { ...fields, verification_required },
    { title: `${title}CreateBranch`, isOpen: true },
  )
}
