import type { Notification } from '../notification/notification.ts'
import type { IntegrationBase, IntegrationDefinition } from './define-integration.ts'
import type { ComposedMail } from './email/compose-mail.ts'
import type { Notifier, NotifierPorts } from './notifier.ts'

/**
 * A kind of receiver: how one is configured, and how it notifies.
 *
 * `I` is an integration with its settings, `W` an element of `<type>_configs` in a configuration that is an object.
 */
export interface ReceiverKind<I extends IntegrationBase, W extends object>
  extends IntegrationDefinition<I> {
  /** Makes the notifier of an integration. */
  create(integration: I, ports: NotifierPorts): Notifier
  /** The mail it would send, for previews. Only for a kind that sends mails, not requests. */
  composeMail?(integration: I, notification: Notification, ports: NotifierPorts): ComposedMail
  /** Never set: it carries the type. */
  readonly written?: W
}
