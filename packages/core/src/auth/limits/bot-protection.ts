import { hashText } from '../../crypto/crypto.ts'
import type { Json } from '../../storage/storage.ts'
import type { BranchBotProtection, IdentifyBranch } from '../config/flow-definition.ts'
import type { Asking } from '../flow/asking.ts'
import { demandsOf } from '../flow/hooks/hook-demands.ts'
import type { FlowInput, FlowView } from '../flow/view.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { ask } from './limit-questions.ts'

/** The bot protection of a branch. */
export interface ProtectedBranch {
  readonly bot_protection?: BranchBotProtection
}

type Notes = { readonly [name: string]: Json }

/**
 * The hash of the response that has passed: one input may answer several prompts, providers accept a response only once, and the
 * memory of the flow is read only once for all prompts.
 */
const passed = 'bot_protection_passed'

/** Whether a branch requires bot protection. A flow that has passed it is not asked again, unless a hook demands it. */
function isProtected(
  { bot_protection: own }: ProtectedBranch,
  { config, memory, state }: FlowView,
): boolean {
  if (!config.bot_protection.enabled) return false
  const { bot_protection: demanded } = demandsOf(state)
  if (demanded !== null) return demanded === 'always'
  const isPassed = memory.is_bot_protection_passed || state.notes[passed] !== undefined
  return !isPassed && own?.mode === 'always'
}

/**
 * A branch of an `identify` step with the bot protection of all flows it leads to. A `signup_login` turns into one of these flows
 * with the identification it already has, so its own branch must ask for their protection.
 */
export function withTargets(branch: IdentifyBranch, view: FlowView): ProtectedBranch {
  if (view.state.type !== 'signup_login') return branch
  const { identification, signup_flow: signup, login_flow: login } = branch
  const flows = [
    signup === undefined ? undefined : view.flow('signup', signup),
    login === undefined ? undefined : view.flow('login', login),
  ]
  const targets = flows.flatMap((flow) => {
    const step = flow?.steps.find(({ type }) => type === 'identify')
    return step?.type === 'identify' ? step.one_of : []
  })
  const all = [branch, ...targets.filter((one) => one.identification === identification)]
  const isAny = all.some(({ bot_protection }) => bot_protection?.mode === 'always')
  return isAny ? { bot_protection: { mode: 'always' } } : branch
}

/** Adds the bot protection of the branch to an option. */
export function withBotProtection<Option extends Notes>(
  option: Option,
  branch: ProtectedBranch,
  view: FlowView,
): Option {
  if (!isProtected(branch, view)) return option
  return { ...option, bot_protection: { enabled: true, provider: { type: providerType(view) } } }
}

/** Adds the bot protection of the branch to the schema of an option's input. */
export function botProtectionSchema(
  schema: JsonSchema,
  branch: ProtectedBranch,
  view: FlowView,
): JsonSchema {
  if (!isProtected(branch, view)) return schema
  const shown: JsonSchema = {
    type: 'object',
    required: ['response', 'type'],
    properties: { type: { const: providerType(view) }, response: { type: 'string' } },
  }
  return {
    ...schema,
    required: [...(schema.required ?? []), 'bot_protection'],
    properties: { ...schema.properties, bot_protection: shown },
  }
}

/**
 * Verifies the bot protection of an input, before the input is used in any other way. Returns the notes for the next prompts.
 *
 * @throws {GatehouseError} `BotProtectionVerificationFailed`, `BotProtectionVerificationServiceUnavailable`
 */
export function* passBotProtection(
  branch: ProtectedBranch,
  { bot_protection: shown }: FlowInput,
  view: FlowView,
): Asking<Notes> {
  if (!isProtected(branch, view)) return {}
  const { response: given } = Object(shown)
  const response = typeof given === 'string' ? given : ''
  const hash = hashText('sha256', response).toString('base64url')
  if (view.state.notes[passed] !== hash) yield* ask('verify_bot_protection', { response })
  return { [passed]: hash }
}

const providerType = ({ config }: FlowView): string => config.bot_protection.provider?.type ?? ''
