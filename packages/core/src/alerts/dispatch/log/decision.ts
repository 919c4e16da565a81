import type { Instant } from '../../../time/clock.ts'
import type { NotificationReason } from '../../notification/notification.ts'

/** The outcome of a tick for one integration, or for alerts that reached none. */
export type NotificationOutcome =
  | 'sent'
  | 'failed'
  | 'canceled'
  | 'deduplicated'
  | 'acknowledged'
  | 'limited'
  | 'inhibited'
  | 'muted'
  | 'silenced'

/** What keeps alerts of a group from being notified: a silence with its comment, or an alert with its name. */
export interface SuppressionCause {
  /** The id of the silence, or the fingerprint of the alert that inhibits others. */
  readonly id: string
  readonly name: string
}

/** One decision of the notification pipeline. */
export interface NotificationDecision {
  /** The tick of the group. */
  readonly at: Instant
  readonly groupKey: string
  readonly receiver: string
  /** Such as `webhook/0`, or `code:name/0` for a notifier made in code; absent if the alerts reached no integration. */
  readonly integration?: string
  readonly outcome: NotificationOutcome
  /** Why it was sent, or should have been. */
  readonly reason?: NotificationReason
  /** The error, the names of the time intervals that muted the group, the people who acknowledged it, or the rate limit. */
  readonly detail?: string
  /** The silences or alerts that suppressed the alerts, at most five. */
  readonly causes?: readonly SuppressionCause[]
  /** Fingerprints of the firing alerts; those of the resolved ones are in `resolved`. */
  readonly firing: readonly string[]
  readonly resolved: readonly string[]
  /** The number of requests or emails. */
  readonly attempts?: number
  readonly tookMs?: number
}
