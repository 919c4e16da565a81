import type { Json } from '../../storage/storage.ts'
import type { Account, ClaimName, Identified, IdentityRecord } from '../accounts/records.ts'
import { type Ask, askAny, type Q } from './asking.ts'
import type { Session } from './session/session.ts'
import type { FlowSnapshot } from './state.ts'

/** What rules of every part of a flow may ask. */
export interface BaseQuestions {
  /** All about a user; `undefined` if there is none. */
  readonly account: Q<{ readonly user_id: string }, Account | undefined>
  /** The identity of a key. @see `keyOfIdentity` */
  readonly identity: Q<{ readonly key: string }, Identified<IdentityRecord> | undefined>
  /** Every identity that asserts a claim. */
  readonly claim: Q<
    { readonly name: ClaimName; readonly value: string },
    readonly Identified<IdentityRecord>[]
  >
  /** The session of the request, if its user may still sign in. */
  readonly session: Q<undefined, Session | undefined>
  /** Whether the user has sessions beside the one of this request, of a client. */
  readonly other_sessions: Q<
    { readonly user_id: string; readonly client_id: string | null },
    boolean
  >
  /** Random bytes. */
  readonly random: Q<{ readonly size: number }, Uint8Array>
  /** A new UUID. */
  readonly uuid: Q<undefined, string>
  /** The id of somebody who does not exist: for the same text the same one, which nobody can foresee. */
  readonly stand_in_id: Q<{ readonly text: string }, string>
  /** What a kind of the host's own asks of the world outside. */
  readonly port: Q<{ readonly name: string; readonly ask: Json }, Json>
  /** Asks the host's hook at a point of the flow. Answers what is to be remembered of it; fails with `HookDisallowed` and its like. */
  readonly hook: Q<
    { readonly type: string; readonly state: FlowSnapshot },
    { readonly [name: string]: Json }
  >
  /** Tells who listens; holds no secret. */
  readonly event: Q<
    { readonly type: string; readonly payload: Readonly<Record<string, unknown>> },
    void
  >
}

export const ask: Ask<BaseQuestions> = askAny
