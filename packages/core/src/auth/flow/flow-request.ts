import type { Write } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { Account } from '../accounts/account.ts'
import type { LimitWeights } from './hooks/hook-demands.ts'
import type { FlowSession } from './state.ts'
import type { RequestFacts } from './view.ts'

/** The total time spent in the hooks of one request. */
export interface HookTime {
  spentMs: number
}

/** Something that may be used once. */
export interface Spend {
  readonly id: string
  /**
   * The write that spends it, with its precondition.
   *
   * @throws {GatehouseError} if another request has spent it.
   */
  write(): Promise<Write>
}

/** One request to a flow: its session, time and client, and what is cached while it is answered. */
export interface FlowRequest {
  readonly request: RequestFacts
  readonly session: FlowSession
  readonly now: Instant
  readonly hook_time: HookTime
  /** The accounts it has read, as they were at the first read. At its end a flow reads them again. */
  readonly accounts: Map<string, Promise<Account | undefined>>
  /** What is spent by the commit of what this request achieves, and stays if that is refused. */
  readonly spends: Spend[]
  /** The weights that hooks set for the current state. A further hook changes them for the rest of the input. */
  weights: LimitWeights
}
