import type { OutgoingMessage } from '@gatehouse/core/auth'

/** Delivers messages to people. */
export interface MessageSender {
  /** @throws {Error} if the message could not be handed over. Its text holds no secret. */
  send(message: OutgoingMessage): Promise<void>
  /** Closes idle connections. */
  close(): void
}
