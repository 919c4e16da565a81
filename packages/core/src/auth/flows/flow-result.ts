import type { ShownState } from '../flow/engine.ts'
import type { SetCookie } from '../sessions/cookies.ts'
import type { ApiError } from './api-error.ts'

/** A state as clients see it. */
export type FlowState = { readonly state_token: string } & ShownState

/** The outcome of a request to a flow. A refused input is an expected outcome, not an exception. */
export type FlowResult =
  | { readonly ok: true; readonly result: FlowState; readonly cookies: readonly SetCookie[] }
  | {
      readonly ok: false
      readonly error: ApiError
      /** The state the request was made to, if known, so that a client can show it again. */
      readonly result?: FlowState
      readonly cookies: readonly SetCookie[]
      /** Seconds after which a retry may succeed, if known. */
      readonly retryAfterSeconds?: number
    }

/** The properties of a request that carries an input. */
export interface RequestContext {
  /** The client's address (default `0.0.0.0`). */
  readonly ip?: string
  readonly userAgent?: string
  /** The `Accept-Language` header. */
  readonly acceptLanguage?: string
  /** The `Cookie` header. */
  readonly cookie?: string
  /** The query of the URL, without its `?`; only for creating a flow. */
  readonly query?: string
}
