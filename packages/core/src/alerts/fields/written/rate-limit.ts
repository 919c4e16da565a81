/** A limit of notifications. Groups over the limit are summarized in one notification. Not in Alertmanager. */
export interface AlertmanagerRateLimit {
  /** How many may be sent at once, at least 1. */
  readonly notifications: number
  /** In which time as many may be sent again, such as `1h`. */
  readonly per: string
}
