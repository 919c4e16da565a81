import type { Json } from '../../storage/storage.ts'
import type { BranchBotProtection, IdentifyBranch } from '../config/flow-definition.ts'
import type { Asking } from '../flow/asking.ts'
import { demandsOf } from '../flow/hooks/hook-demands.ts'
import type { FlowInput, FlowView } from '../flow/view.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { ask } from './limit-questions.ts'

/** A branch, as far as it says whether who takes it must show to be no machine. */
export interface ProtectedBranch {
  readonly bot_protection?: BranchBotProtection
}

type Notes = { readonly [name: string]: Json }

/** That it was shown just now: what the flow remembers is looked up once for all prompts that one input answers. */
const passed = 'bot_protection_passed'

/** Whether who takes a branch must first show to be no machine. Once it was shown in a flow nobody asks again. */
function isProtected(
  { bot_protection: own }: ProtectedBranch,
  { config, memory, state }: FlowView,
): boolean {
  if (!config.bot_protection.enabled || memory.is_bot_protection_passed) return false
  if (state.notes[passed] === true) return false
  return (demandsOf(state).bot_protection ?? own?.mode) === 'always'
}

/**
 * A branch of an `identify` step with all that is to be shown for it. What a `signup_login` becomes identifies by what is known already
 * and asks for nothing more, so who takes the branch shows what those flows would ask for.
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

/** An option as it is shown: with what its branch asks for. */
export function withBotProtection<Option extends Notes>(
  option: Option,
  branch: ProtectedBranch,
  view: FlowView,
): Option {
  if (!isProtected(branch, view)) return option
  return { ...option, bot_protection: { enabled: true, provider: { type: providerType(view) } } }
}

/** What an input for an option must be like: also what its branch asks for. */
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
 * Has looked at what an input shows, before anything else of it counts. Answers what the next prompts are to know of it.
 *
 * @throws {GatehouseError} `BotProtectionVerificationFailed`, `BotProtectionVerificationServiceUnavailable`
 */
export function* passBotProtection(
  branch: ProtectedBranch,
  { bot_protection: shown }: FlowInput,
  view: FlowView,
): Asking<Notes> {
  if (!isProtected(branch, view)) return {}
  const response = Object(shown).response
  yield* ask('verify_bot_protection', { response: typeof response === 'string' ? response : '' })
  return { [passed]: true }
}

const providerType = ({ config }: FlowView): string => config.bot_protection.provider?.type ?? ''
