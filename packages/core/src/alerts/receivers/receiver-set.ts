import type { RateLimitConfig } from '../fields/rate-limit.ts'
import type { NotificationTemplates } from '../notification/notification-templates.ts'
import type { Integration } from './integrations.ts'
import type { Notifier, NotifierPorts } from './notifier.ts'

/** One integration of a receiver with its notifier. */
export interface ReadyIntegration {
  /** Type and index in the receiver, such as `webhook/0`: its name in the notification log. */
  readonly key: string
  readonly notifier: Notifier
  readonly sendResolved: boolean
  /** Its settings. Absent for a notifier made in code. */
  readonly configured?: Integration
}

/** The notifiers and templates of a configuration. */
export interface ReceiverSet {
  /** The integrations of a receiver. Empty if it has none or does not exist. */
  integrations(receiver: string): readonly ReadyIntegration[]
  /** The limit for notifications of each integration of a receiver. */
  rateLimit(receiver: string): RateLimitConfig | undefined
  readonly templates: NotificationTemplates
  /** The ports of the notifiers, except the one that sends requests. */
  readonly ports: Omit<NotifierPorts, 'send'>
}
