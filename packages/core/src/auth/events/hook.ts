import type { Json } from '../../storage/storage.ts'
import type { Attributes } from '../accounts/user-record.ts'
import type { HookAnswer, HookPoint } from '../flow/hooks/host-hook.ts'
import type { AuthEvent } from './auth-event.ts'

/** A record as hooks and events see it: without secrets and absent members, instants in RFC 3339. */
export type EventRecord = { readonly [name: string]: Json }

/** A user as hooks and events see it. */
export type EventUser = EventRecord & {
  readonly id: string
  readonly standard_attributes: Attributes
  readonly custom_attributes: Attributes
}

/** The part of a flow that hooks receive. JSON. */
export interface AuthenticationContext {
  readonly authentication_flow: { readonly type: string; readonly name: string }
  /** `null` before the flow has a user, and if the user does not exist. */
  readonly user: EventUser | null
  readonly identities: readonly EventRecord[]
  /** How the user was identified, in order. */
  readonly asserted_identifications: readonly {
    readonly identification: string
    readonly identity: EventRecord | null
  }[]
  /** How the user was authenticated, or will be from now on, in order. */
  readonly asserted_authentications: readonly {
    readonly authentication: string
    readonly authenticator: EventRecord | null
  }[]
  /** The `amr` of these authentications. */
  readonly amr: readonly string[]
}

/** One member for each type, so that a comparison with a type leaves the others. */
type Subject<Type extends string, Payload> = Type extends string
  ? { readonly type: Type; readonly payload: Payload }
  : never

/** What a hook decides on: `type` says what `payload` has. A profile is as it will be stored. */
export type HookSubject =
  | Subject<HookPoint, { readonly authentication_context: AuthenticationContext }>
  | Subject<
      'user.pre_create' | 'user.profile.pre_update',
      { readonly user: EventUser; readonly identities: readonly EventRecord[] }
    >

/** An event that is about to happen. */
export type HookEvent = Omit<AuthEvent, 'type' | 'payload'> & HookSubject

/** Asks the host whether an event may happen. Once `signal` is aborted, the answer is ignored. */
export type Hook = (event: HookEvent, call: { readonly signal: AbortSignal }) => Promise<HookAnswer>
