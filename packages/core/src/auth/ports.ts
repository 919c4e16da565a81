import type { Json } from '../storage/storage.ts'
import type { Instant } from '../time/clock.ts'
import type { Attributes } from './accounts/user-record.ts'
import type { BranchBotProtection, Channel } from './config/flow-definition.ts'
import type { AuthorizationSession, MessageKind } from './flow/state.ts'

/** A message to a person. `subject` and `html` are for mail. */
export interface OutgoingMessage {
  readonly kind: MessageKind | 'signup_taken'
  readonly channel: Channel
  /** The full address. */
  readonly target: string
  readonly code?: string
  readonly link?: string
  readonly subject?: string
  readonly text: string
  readonly html?: string
  readonly locale: string
  readonly client_id: string | null
  readonly user_id: string | null
  readonly expires_at: Instant
}

/** Sends one message; rejects if it cannot be sent. */
export type Sender = (message: OutgoingMessage) => Promise<void>

/** The senders of messages. Steps that need a missing one are refused. */
export interface Senders {
  readonly sendEmail?: Sender | undefined
  readonly sendSms?: Sender | undefined
  readonly sendWhatsapp?: Sender | undefined
}

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

/** The origin and the circumstances of an event. */
export interface AuthEventContext {
  readonly timestamp: Instant
  readonly user_id: string | null
  readonly triggered_by: 'user' | 'system' | 'admin_api'
  /** The `id` of the configuration. */
  readonly app_id: string
  readonly client_id: string | null
  readonly ip_address: string | null
  readonly user_agent: string | null
  /** The country of the address, as an ISO 3166-1 alpha-2 code; set if `geoIp` knows it. */
  readonly geo_location_code?: string
  /** The languages that the sign-in page requests, else those of the browser, as BCP 47 tags, the preferred one first. */
  readonly preferred_languages: readonly string[]
  /** The first of them (default `en`). */
  readonly language: string
  /** The `state` and `x_state` of the authorization request. */
  readonly oauth: { readonly state?: string; readonly x_state?: string }
  readonly authentication_flow: { readonly type: string; readonly name: string } | null
  /** The value that the client gave when it created the flow. Only for hooks; its content is not validated. */
  readonly client_context?: Json
}

/** An event that happened, or is about to. Holds no secret. Instants in the payload are RFC 3339. */
export interface AuthEvent {
  /** A UUIDv7. Ids of one process ascend; ids of several do so as far as their clocks agree. */
  readonly id: string
  /**
   * The sequence number among all delivered events of all processes: 1, 2, 3, … A repeated delivery keeps the number. Events
   * passed to hooks have none.
   */
  readonly seq?: number
  /** As `user.created`. */
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly context: AuthEventContext
}

/** The answer of a blocking hook. If `is_allowed` is false, only `title` and `reason` are read. */
export interface HookAnswer {
  readonly is_allowed: boolean
  readonly title?: string
  readonly reason?: string
  /** For `user.pre_create` and `user.profile.pre_update`: changes to the profile. Each given member is replaced as a whole. */
  readonly mutations?: {
    readonly user?: {
      readonly standard_attributes?: Attributes
      readonly custom_attributes?: Attributes
    }
  }
  /** For `authentication.*`: values that the `amr` of the session must have in the end. */
  readonly constraints?: { readonly amr?: readonly string[] }
  /**
   * For `authentication.*`: the cost of one use of a rate limit from now on, by its group, as `authentication.password` (default
   * 1). 0 and below cost nothing. A cost above the burst is always refused.
   */
  readonly rate_limits?: { readonly [group: string]: { readonly weight: number } }
  /** For `authentication.*`: whether branches ask for bot protection; overrides the branches' own setting. */
  readonly bot_protection?: BranchBotProtection
}

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

/** Where a flow asks a hook. */
export type HookPoint =
  | 'authentication.pre_initialize'
  | 'authentication.post_identified'
  | 'authentication.pre_authenticated'

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

/** Verifies bot protection responses. @see `createTurnstileVerifier`, `createRecaptchaVerifier` */
export interface BotVerifier {
  /** The `bot_protection.provider.type` that it verifies (default any). */
  readonly type?: string
  /** Verifies a client's response from the provider. Rejects if that is not possible. */
  verify(given: { readonly response: string; readonly ip: string }): Promise<'passed' | 'failed'>
}

/** The user of an ID token. */
export interface IdTokenUser {
  readonly user_id: string
  /** The session in which the token was issued, as in the claim `sid`. A `reauth` flow renews it without the session's cookie. */
  readonly session_id?: string
}

/**
 * Returns the user that an ID token names (an id alone names no session), or `undefined` for a token that the host did not issue
 * to its own clients with a valid signature. Expired tokens are accepted: they identify a user, they do not prove presence. A
 * rejection is a fault of the host, answered with 500.
 */
export type IdTokenVerifier = (token: string) => Promise<string | IdTokenUser | undefined>

/**
 * Returns the id of the anonymous user that signed a login hint, so that an app without cookies can promote that user;
 * `undefined` for any other hint. The port must check that a hint is fresh and used only once.
 */
export type PromotionVerifier = (loginHint: string) => Promise<string | undefined>

/** Returns the country of an IP address, as an ISO 3166-1 alpha-2 code; `undefined` if unknown. */
export type GeoIp = (ip: string) => string | undefined
