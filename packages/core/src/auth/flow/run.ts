import type { Version, Write } from '../../storage/storage.ts'
import type { Account } from '../accounts/account.ts'
import type { FlowRequest } from './flow-request.ts'
import { demandsOf } from './hooks/hook-demands.ts'
import type { FlowSnapshot } from './state.ts'

/** One request to a flow, and the ports of the service that its work uses. */
export interface FlowRun<Ports> extends FlowRequest {
  readonly auth: Ports
}

/** Starts the run of one request. */
export function beginRun<Ports>(
  request: Pick<FlowRun<Ports>, 'auth' | 'request' | 'session' | 'now'>,
): FlowRun<Ports> {
  return { hook_time: { spentMs: 0 }, accounts: new Map(), spends: [], weights: {}, ...request }
}

/** The same run, at another state. */
export function atState<Ports>(
  run: FlowRun<Ports>,
  state: Pick<FlowSnapshot, 'notes'>,
): FlowRun<Ports> {
  return { ...run, weights: demandsOf(state).weights }
}

/** The writes that spend what the inputs of a request have used. */
export const spendingWrites = ({ spends }: FlowRequest): Promise<readonly Write[]> =>
  Promise.all(spends.map((spend) => spend.write()))

/** The user whom the facts are about. */
export interface Subject {
  readonly userId: string
  /** The stored account, read after `version`; `undefined` for a user about to be created. */
  readonly account: Account | undefined
  /** The version of the user's own record. Every concurrent change of the account changes it. */
  readonly version: Version | 'absent'
}

/** Whether the host makes a change itself, without a flow. */
export const isOfHost = ({ session }: FlowRequest): boolean => session.flow_id === ''

/** Whether the flow changes the user's own account. */
export const isOfAccount = ({ session }: FlowRequest): boolean => session.root.type === 'account'
