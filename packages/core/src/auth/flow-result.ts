import type { ApiError } from './api-error.ts'
import type { SetCookie } from './cookies.ts'
import type { ShownState } from './flow/engine.ts'

/** A state as clients see it. */
export type FlowState = { readonly state_token: string } & ShownState

/** What came of a request to a flow. A refused input is an expected outcome, not an exception. */
export type FlowResult =
  | { readonly ok: true; readonly result: FlowState; readonly cookies: readonly SetCookie[] }
  | {
      readonly ok: false
      readonly error: ApiError
      /** The state the request was made to, where that is known: a client can show it again. */
      readonly result?: FlowState
      readonly cookies: readonly SetCookie[]
      /** In how many seconds another try has a chance, where that is known. */
      readonly retryAfterSeconds?: number
    }

/** What is known of a request that carries an input. */
export interface RequestContext {
  /** The client's address (default `0.0.0.0`). */
  readonly ip?: string
  readonly userAgent?: string
  /** The `Cookie` header. */
  readonly cookie?: string
  /** The query of the address, without its `?`; only for creating a flow. */
  readonly query?: string
}
