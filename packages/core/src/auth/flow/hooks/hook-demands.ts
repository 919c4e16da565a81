import type { Json } from '../../../storage/storage.ts'
import type { BranchBotProtection } from '../../config/flow-definition.ts'
import type { FlowSnapshot } from '../state.ts'
import type { HookAnswer } from './host-hook.ts'

/** The cost of one use of a rate limit, by group, where it is not 1. */
export type LimitWeights = { readonly [group: string]: number }

/** The demands of hooks on the rest of a flow. JSON. */
export interface HookDemands {
  /** Values that the `amr` of the session must have in the end. */
  readonly amr: readonly string[]
  readonly weights: LimitWeights
  /** Overrides the branches' bot protection; `null` leaves it to them. */
  readonly bot_protection: BranchBotProtection['mode'] | null
}

/** A note of states, so that demands on one branch of a flow do not apply to another, which runs its own hooks. */
const name = 'hook_demands'

const none: HookDemands = { amr: [], weights: {}, bot_protection: null }

/** The demands of hooks on the rest of a flow. */
export function demandsOf({ notes }: Pick<FlowSnapshot, 'notes'>): HookDemands {
  // Written below.
  return (notes[name] ?? none) as unknown as HookDemands
}

/** The demands after one more answer, as a note. Later answers override earlier ones. */
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
