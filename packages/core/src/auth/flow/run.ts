import type { Version } from '../../storage/storage.ts'
import type { Account } from '../accounts/records.ts'
import type { AuthContext } from '../context.ts'
import type { FlowRequest } from './flow-request.ts'
import { demandsOf } from './hooks/hook-demands.ts'
import type { FlowSnapshot } from './state.ts'

/** One request to a flow, and the service that it was made to. */
export interface FlowRun extends FlowRequest {
  readonly auth: AuthContext
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
