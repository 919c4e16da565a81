import type { Instant } from '../../time/clock.ts'
import type { Acknowledgement } from '../alert/acknowledgement.ts'
import type { Labels } from '../alert/alert.ts'

/** Why a notification is sent, in the words of templates and payloads. @see Alertmanager, notification reasons */
export type NotificationReason =
  | 'first notification'
  | 'new alerts added'
  | 'all alerts resolved'
  | 'some alerts resolved'
  | 'repeat interval elapsed'
  | 'rate limited'
  | 'unknown'

/** An alert as a notification shows it. */
export interface NotifiedAlert {
  readonly status: 'firing' | 'resolved'
  readonly labels: Labels
  readonly annotations: Labels
  readonly startsAt: Instant
  /** The start as RFC 3339 text, if its offset or fraction is more precise than `startsAt`. */
  readonly startsAtText?: string
  /** When it ended; `undefined` while it fires. */
  readonly endsAt: Instant | undefined
  readonly endsAtText?: string
  /** Empty if not given. */
  readonly generatorURL: string
  readonly fingerprint: string
  readonly acknowledgement?: Acknowledgement
}

/** Turns the templates of a configuration into text about one notification. */
export interface NotificationRenderer {
  /**
   * Renders a Go text template.
   *
   * @throws {GatehouseError} `TemplateSyntax`, `TemplateExecution`
   */
  text(template: string): string
  /** Renders a Go HTML template: values from alerts are escaped for their context. */
  html(template: string): string
}

/** A notification for one integration of a receiver. */
export interface Notification extends NotificationRenderer {
  /** Identifies the group; several groups of identical routes may share it. */
  readonly groupKey: string
  /** SHA-256 of the group key in hex: other systems recognise the incident by it. */
  readonly groupHash: string
  /** The receiver's name as it is configured. */
  readonly receiver: string
  readonly reason: NotificationReason
  /** `firing` if any of the alerts is firing. */
  readonly status: 'firing' | 'resolved'
  /** In the order of a flush: by job, instance, then all labels. Never empty. */
  readonly alerts: readonly NotifiedAlert[]
  /** The number of alerts that are left out, because the integration has a limit. */
  readonly truncatedAlerts: number
  /**
   * The keys of the groups that a rate limit kept back, if the notification summarizes them: its alerts are those of all these
   * groups. Otherwise empty.
   */
  readonly limitedGroups: readonly string[]
  readonly groupLabels: Labels
  /** Labels that all alerts share, with the same value. */
  readonly commonLabels: Labels
  readonly commonAnnotations: Labels
  /** The labels of the route, rendered. */
  readonly routeLabels: Labels
  /** The URL under which people reach the service, without a trailing slash. */
  readonly externalURL: string
  /** The tick of the group. */
  readonly now: Instant
  /** Values that the integration stored with its last notification about this group. */
  readonly kept: Readonly<Record<string, string>>
  /**
   * The same notification about its first alerts only, with their status and common values.
   *
   * @param order `firing` takes firing alerts before resolved ones, so that the status stays the same (default `all`: the order of
   * the alerts).
   */
  first(count: number, order?: 'all' | 'firing'): Notification
}
