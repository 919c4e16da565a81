import type { Instant } from '../../../time/clock.ts'
import type { NotificationReason } from '../../notification/notification.ts'

/**
 * What became of a tick for one integration, or for alerts that reached none: told, or not and why.
 */
export type NotificationOutcome =
  | 'sent'
  | 'failed'
  | 'canceled'
  | 'deduplicated'
  | 'inhibited'
  | 'muted'
  | 'silenced'

/** One decision of the notification pipeline. */
export interface NotificationDecision {
  /** The tick of the group. */
  readonly at: Instant
  readonly groupKey: string
  readonly receiver: string
  /** As `webhook/0`, or `code:name/0` of a notifier made in code; absent where the alerts reached no integration. */
  readonly integration?: string
  readonly outcome: NotificationOutcome
  /** Why it was sent, or was to be. */
  readonly reason?: NotificationReason
  /** What went wrong, or the names of what muted the group. */
  readonly detail?: string
  /** Fingerprints of the alerts it is about, those that fire and those that are resolved. */
  readonly firing: readonly string[]
  readonly resolved: readonly string[]
  /** Requests or mails that it took. */
  readonly attempts?: number
  readonly tookMs?: number
}
