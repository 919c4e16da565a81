import type { Instant } from '../../time/clock.ts'
import type { Labels } from '../alert/alert.ts'

/** Why a notification is sent, as templates and payloads name it. @see Alertmanager, notification reasons */
export type NotificationReason =
  | 'first notification'
  | 'new alerts added'
  | 'all alerts resolved'
  | 'some alerts resolved'
  | 'repeat interval elapsed'
  | 'unknown'

/** An alert as a notification tells of it. */
export interface NotifiedAlert {
  readonly status: 'firing' | 'resolved'
  readonly labels: Labels
  readonly annotations: Labels
  readonly startsAt: Instant
  /** The start as RFC 3339 text, where its offset or its fraction says more than `startsAt`. */
  readonly startsAtText?: string
  /** When it ended; `undefined` while it fires. */
  readonly endsAt: Instant | undefined
  readonly endsAtText?: string
  /** Empty where it was not given. */
  readonly generatorURL: string
  readonly fingerprint: string
}

/** Turns the templates of a configuration into text about one notification. */
export interface NotificationRenderer {
  /**
   * Renders a Go text template.
   *
   * @throws {GatehouseError} `TemplateSyntax`, `TemplateExecution`
   */
  text(template: string): string
  /** The same as HTML: what comes from alerts is escaped for the place where it stands. */
  html(template: string): string
}

/** What is told to one integration of a receiver. */
export interface Notification extends NotificationRenderer {
  /** Names the group; several groups of like routes may share it. */
  readonly groupKey: string
  /** SHA-256 of the group key in hex: what other systems recognise the incident by. */
  readonly groupHash: string
  /** The receiver's name as it is configured. */
  readonly receiver: string
  readonly reason: NotificationReason
  /** `firing` if any of the alerts is. */
  readonly status: 'firing' | 'resolved'
  /** In the order of a flush: by job, instance, then all labels. Never empty. */
  readonly alerts: readonly NotifiedAlert[]
  readonly groupLabels: Labels
  /** Labels that all alerts have with one value. */
  readonly commonLabels: Labels
  readonly commonAnnotations: Labels
  /** The labels of the route, rendered. */
  readonly routeLabels: Labels
  /** Where people reach the service, without a trailing slash. */
  readonly externalURL: string
  /** The tick of the group that this is. */
  readonly now: Instant
  /** What the integration asked to be kept at its last notification about this group. */
  readonly kept: Readonly<Record<string, string>>
  /** The same notification about its first alerts only: status and common values are those of what is left. */
  first(count: number): Notification
}
