import type { Instant } from '../../time/clock.ts'
import type { Account } from '../accounts/records.ts'
import type { LimitWeights } from './hooks/hook-demands.ts'
import type { FlowSession } from './state.ts'
import type { RequestFacts } from './view.ts'

/** How long the hooks of one request have taken together. */
export interface HookTime {
  spentMs: number
}

/** One request to a flow: who asked, when, and what is kept while it is answered. */
export interface FlowRequest {
  readonly request: RequestFacts
  readonly session: FlowSession
  readonly now: Instant
  readonly hook_time: HookTime
  /** The users it is about, as they were when they were first looked for: at its end a flow reads them anew. */
  readonly accounts: Map<string, Promise<Account | undefined>>
  /** As hooks want it in the state that is worked on. A hook that is asked changes it for the rest of the input. */
  weights: LimitWeights
}
