import type { Instant } from '../clock.ts'
import type { Channel } from './flow-definition.ts'
import type { AuthorizationSession, MessageKind } from './flow-state.ts'

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

/** Something that happened. Holds no secret. */
export interface AuthEvent {
  /** A UUIDv7. */
  readonly id: string
  /** As `user.created`. */
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly context: {
    readonly timestamp: Instant
    readonly user_id: string | null
    readonly triggered_by: 'user' | 'system' | 'admin_api'
    readonly client_id: string | null
    readonly ip_address: string | null
    readonly user_agent: string | null
    readonly authentication_flow: { readonly type: string; readonly name: string } | null
  }
}

/** What a blocking hook answers. */
export interface HookAnswer {
  readonly is_allowed: boolean
  readonly title?: string
  readonly reason?: string
}
