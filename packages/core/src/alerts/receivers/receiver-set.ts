import type { NotificationTemplates } from '../notification/notification-templates.ts'
import type { Integration } from './integrations.ts'
import type { Notifier, NotifierPorts } from './notifier.ts'

/** One integration of a receiver, ready to be told. */
export interface ReadyIntegration {
  /** Type and place in the receiver, as `webhook/0`: its name in the notification log. */
  readonly key: string
  readonly notifier: Notifier
  readonly sendResolved: boolean
  /** Its settings; absent for one that is made in code. */
  readonly configured?: Integration
}

/** What a configuration notifies by. */
export interface ReceiverSet {
  /** The integrations of a receiver; empty for one without, or one that does not exist. */
  integrations(receiver: string): readonly ReadyIntegration[]
  readonly templates: NotificationTemplates
  /** What its notifiers have of the world, but for what sends requests. */
  readonly ports: Omit<NotifierPorts, 'send'>
}
