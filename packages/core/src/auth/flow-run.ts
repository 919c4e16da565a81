import type { Instant } from '../clock.ts'
import type { AuthContext } from './context.ts'
import type { FlowSession } from './flow-state.ts'
import type { RequestFacts } from './flow-view.ts'

/** One request to a flow: who asked, when, and what the rules may look at. */
export interface FlowRun {
  readonly auth: AuthContext
  readonly request: RequestFacts
  readonly session: FlowSession
  readonly now: Instant
}
