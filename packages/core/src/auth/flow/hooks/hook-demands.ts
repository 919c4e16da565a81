import type { Json } from '../../../storage/storage.ts'
import type { BranchBotProtection } from '../../config/flow-definition.ts'
import type { HookAnswer } from '../../ports.ts'
import type { FlowSnapshot } from '../state.ts'

/** What uses of rate limits cost, by their group, where that is not 1. */
export type LimitWeights = { readonly [group: string]: number }

/** What hooks have asked of the rest of a flow. JSON. */
export interface HookDemands {
  /** What the session must say of itself in the end. */
  readonly amr: readonly string[]
  readonly weights: LimitWeights
  /** In place of what the branches say; `null` if it is theirs to say. */
  readonly bot_protection: BranchBotProtection['mode'] | null
}

/** A note of states. So what was asked of one branch of a flow is not asked of another, which has its own hooks to pass. */
const name = 'hook_demands'

const none: HookDemands = { amr: [], weights: {}, bot_protection: null }

/** What hooks have asked of the rest of a flow. */
export function demandsOf({ notes }: Pick<FlowSnapshot, 'notes'>): HookDemands {
  // Written below.
  return (notes[name] ?? none) as unknown as HookDemands
}

/** The same after one more answer, as a note: of what two of them say the later counts. */
export function demandNotes(
  state: FlowSnapshot,
  { constraints, rate_limits: limits = {}, bot_protection: bot }: HookAnswer,
): { readonly [name: string]: Json } {
  const { amr, weights, bot_protection } = demandsOf(state)
  const given = Object.entries(limits).map(([group, { weight }]) => [group, weight])
  const demands: HookDemands = {
    amr: constraints?.amr ?? amr,
    weights: { ...weights, ...Object.fromEntries(given) },
    bot_protection: bot?.mode ?? bot_protection,
  }
  return { [name]: demands as unknown as Json }
}
