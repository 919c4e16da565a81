import type { Json } from '../storage/storage.ts'
import type { Instant } from '../time/clock.ts'
import type { Attributes } from './accounts/records.ts'
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

/** Who sends messages. One that is missing refuses what needs it. */
export interface Senders {
  readonly sendEmail?: Sender
  readonly sendSms?: Sender
  readonly sendWhatsapp?: Sender
}

/** How a flow came out, for the bridge. */
export interface FlowOutcome {
  readonly user_id: string
  readonly session_id: string | null
  readonly amr: readonly string[]
  readonly authenticated_at: Instant
}

/** Ties flows to the host's own authorization server. */
export interface AuthorizationBridge {
  /** What a reference in the query of a flow's creation stands for. */
  resolve(reference: string): Promise<AuthorizationSession | undefined>
  /** Where the client goes when the flow has finished. */
  finish(session: AuthorizationSession, outcome: FlowOutcome): Promise<string>
}

/** Through whom something happened, and in what circumstances. */
export interface AuthEventContext {
  readonly timestamp: Instant
  readonly user_id: string | null
  readonly triggered_by: 'user' | 'system' | 'admin_api'
  readonly client_id: string | null
  readonly ip_address: string | null
  readonly user_agent: string | null
  /** Where the address is, as an ISO 3166-1 alpha-2 code; where there is a `geoIp` that knows. */
  readonly geo_location_code?: string
  /** What the client speaks, as a BCP 47 tag. */
  readonly language: string
  /** What the authorization request carried. */
  readonly oauth: { readonly state?: string; readonly x_state?: string }
  readonly authentication_flow: { readonly type: string; readonly name: string } | null
  /** What the client gave when it created the flow. For hooks alone: nobody has looked at what is in it. */
  readonly client_context?: Json
}

/** Something that happened, or is about to. Holds no secret. Instants in the payload are RFC 3339. */
export interface AuthEvent {
  /** A UUIDv7: of one process the later has the greater one, of several as far as their clocks agree. */
  readonly id: string
  /**
   * The place among all events that are told, whichever process tells them: 1, 2, 3, … An event that is told again has the same.
   * Hooks are asked without one.
   */
  readonly seq?: number
  /** As `user.created`. */
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly context: AuthEventContext
}

/** What a blocking hook answers. Of one that does not allow it only `title` and `reason` are read. */
export interface HookAnswer {
  readonly is_allowed: boolean
  readonly title?: string
  readonly reason?: string
  /** For `user.pre_create` and `user.profile.pre_update`: what of the profile is to be another. Each is replaced as a whole. */
  readonly mutations?: {
    readonly user?: {
      readonly standard_attributes?: Attributes
      readonly custom_attributes?: Attributes
    }
  }
  /** For `authentication.*`: what the session must say in its `amr` in the end. */
  readonly constraints?: { readonly amr?: readonly string[] }
  /**
   * For `authentication.*`: what a use of a rate limit costs from now on, by its group, as `authentication.password`; 1 if nobody
   * says otherwise, nothing for 0 and below. What costs more than the burst is always refused.
   */
  readonly rate_limits?: { readonly [group: string]: { readonly weight: number } }
  /** For `authentication.*`: whether branches ask to show that one is no machine, whatever they say themselves. */
  readonly bot_protection?: BranchBotProtection
}

/** Asks the host whether something may happen. Once the `signal` is aborted nobody waits for the answer. */
export type Hook = (event: AuthEvent, call: { readonly signal: AbortSignal }) => Promise<HookAnswer>

/** Tells people and machines apart. @see `createTurnstileVerifier`, `createRecaptchaVerifier` */
export interface BotVerifier {
  /** The `bot_protection.provider.type` it is for (default any). */
  readonly type?: string
  /** Looks at what a client got from the provider. Rejects if that cannot be done. */
  verify(given: { readonly response: string; readonly ip: string }): Promise<'passed' | 'failed'>
}

/**
 * The id of the user that an ID token names; `undefined` for what is no token of the host's own, with a sound signature and for the
 * host's own clients. One that has expired is accepted: it says who somebody is, not that they are there. A rejection is a fault of the
 * host, and answered with 500.
 */
export type IdTokenVerifier = (token: string) => Promise<string | undefined>

/**
 * The id of the anonymous user that has signed a login hint, so that an app that keeps no cookie can promote them; `undefined` for any
 * other hint. That a hint is fresh, and used once, is for the port to see to.
 */
export type PromotionVerifier = (loginHint: string) => Promise<string | undefined>

/** The country of an address, as an ISO 3166-1 alpha-2 code; `undefined` if nobody knows. */
export type GeoIp = (ip: string) => string | undefined
