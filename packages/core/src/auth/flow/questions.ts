import type { Json } from '../../storage/storage.ts'
import type { Account, Identified } from '../accounts/account.ts'
import type { ClaimName, IdentityRecord } from '../accounts/identity-record.ts'
import { type Ask, askAny, type Q } from './asking.ts'
import type { HookPoint } from './hooks/host-hook.ts'
import type { KnownSession } from './session/session.ts'
import type { FlowSnapshot } from './state.ts'

/** The questions that all parts of a flow may ask. */
export interface BaseQuestions {
  /** The account of a user; `undefined` if there is none. */
  readonly account: Q<{ readonly user_id: string }, Account | undefined>
  /** The identity with a key. @see `keyOfIdentity` */
  readonly identity: Q<{ readonly key: string }, Identified<IdentityRecord> | undefined>
  /** All identities that assert a claim. */
  readonly claim: Q<
    { readonly name: ClaimName; readonly value: string },
    readonly Identified<IdentityRecord>[]
  >
  /** The session of the request, or one by its id, if its user may still sign in. */
  readonly session: Q<{ readonly id: string } | undefined, KnownSession | undefined>
  /** Whether the user has other sessions of a client than that of this request. */
  readonly other_sessions: Q<
    { readonly user_id: string; readonly client_id: string | null },
    boolean
  >
  /** Random bytes. */
  readonly random: Q<{ readonly size: number }, Uint8Array>
  /** A new UUID. */
  readonly uuid: Q<undefined, string>
  /** The id of a stand-in for an unknown user: the same for the same text, and unpredictable. */
  readonly stand_in_id: Q<{ readonly text: string }, string>
  /** A question to a port of a custom kind. */
  readonly port: Q<{ readonly name: string; readonly ask: Json }, Json>
  /**
   * Calls the host's hook at a point of the flow. Returns the notes to keep; fails with `HookDisallowed` or another error of the
   * hook.
   */
  readonly hook: Q<
    { readonly type: HookPoint; readonly state: FlowSnapshot },
    { readonly [name: string]: Json }
  >
  /** Reports an event to listeners. Holds no secret. */
  readonly event: Q<
    { readonly type: string; readonly payload: Readonly<Record<string, unknown>> },
    void
  >
}

export const ask: Ask<BaseQuestions> = askAny
