import type { Version } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { Account } from '../accounts/records.ts'
import type { AuthContext } from '../context.ts'
import { demandsOf, type LimitWeights } from './hooks/hook-demands.ts'
import type { FlowSession, FlowSnapshot } from './state.ts'
import type { RequestFacts } from './view.ts'

/** How long the hooks of one request have taken together. */
export interface HookTime {
  spentMs: number
}

/** One request to a flow: who asked, when, and what the rules may look at. */
export interface FlowRun {
  readonly auth: AuthContext
  readonly request: RequestFacts
  readonly session: FlowSession
  readonly now: Instant
  readonly hook_time: HookTime
  /** Of users it is about, as they were when they were first looked for: at its end a flow reads them anew. */
  readonly accounts: Map<string, Promise<Account | undefined>>
  /** As hooks want it in the state that is worked on. */
  readonly weights: LimitWeights
}

/** The work on one request. */
export function beginRun(request: Pick<FlowRun, 'auth' | 'request' | 'session' | 'now'>): FlowRun {
  return { hook_time: { spentMs: 0 }, accounts: new Map(), weights: {}, ...request }
}

/** The same work, on a state. */
export function atState(run: FlowRun, state: Pick<FlowSnapshot, 'notes'>): FlowRun {
  return { ...run, weights: demandsOf(state).weights }
}

/** Whose facts they are. */
export interface Subject {
  readonly userId: string
  /** What is stored about the user, read after `version`; `undefined` for one who is made now. */
  readonly account: Account | undefined
  /** Of the user's own record: whatever else changes the account meanwhile is noticed by it. */
  readonly version: Version | 'absent'
}

/** Whether somebody changes their own account. */
export const isOfAccount = ({ session }: FlowRun): boolean => session.root.type === 'account'
