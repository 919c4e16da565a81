import type { Instant } from '../../../time/clock.ts'
import type { AuthorizationSession } from '../state.ts'

/** The outcome of a flow, for the bridge. */
export interface FlowOutcome {
  readonly user_id: string
  readonly session_id: string | null
  readonly amr: readonly string[]
  readonly authenticated_at: Instant
}

/** Connects flows to the host's own authorization server. */
export interface AuthorizationBridge {
  /** Finds the authorization session of a reference in the query that created the flow. */
  resolve(reference: string): Promise<AuthorizationSession | undefined>
  /** Returns the URI for the client once the flow has finished. */
  finish(session: AuthorizationSession, outcome: FlowOutcome): Promise<string>
}
