import type { Instant } from '../../../time/clock.ts'
import type { Channel } from '../../config/flow-definition.ts'
import type { MessageName } from '../../messages/message-texts.ts'

/** A message to a person. `subject` and `html` are for mail. */
export interface OutgoingMessage {
  readonly kind: MessageName
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
