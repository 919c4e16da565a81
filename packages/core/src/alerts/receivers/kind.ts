import type { Notification } from '../notification/notification.ts'
import type { IntegrationBase, IntegrationDefinition } from './define-integration.ts'
import type { ComposedMail } from './email/compose-mail.ts'
import type { Notifier, NotifierPorts } from './notifier.ts'

/**
 * A kind of receiver: its configuration and its notifier.
 *
 * `I` is a decoded integration, `W` an element of `<type>_configs` in a configuration object.
 */
export interface ReceiverKind<I extends IntegrationBase, W extends object>
  extends IntegrationDefinition<I> {
  /** Creates the notifier of an integration. */
  create(integration: I, ports: NotifierPorts): Notifier
  /** Composes the email that it would send, for previews. Only for a kind that sends email instead of requests. */
  composeMail?(integration: I, notification: Notification, ports: NotifierPorts): ComposedMail
  /** Never set: it only carries the type. */
  readonly written?: W
}
