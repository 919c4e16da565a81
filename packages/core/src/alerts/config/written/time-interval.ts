interface AlertmanagerTimeRange {
  /** Such as `09:00`; inclusive. */
  readonly start_time: string
  /** Such as `17:00` or `24:00`; exclusive. */
  readonly end_time: string
}

/** The times that match all of these keys; a missing key matches always. A range such as `1:5` includes both ends. */
interface AlertmanagerTimes {
  readonly times?: readonly AlertmanagerTimeRange[]
  /** Such as `monday:friday` or `sunday`. */
  readonly weekdays?: readonly string[]
  /** Such as `1:5`; negative days count from the end of the month, such as `-3:-1`. */
  readonly days_of_month?: readonly (string | number)[]
  /** Such as `may:august` or `1:3`. */
  readonly months?: readonly (string | number)[]
  /** Such as `2026:2028`. */
  readonly years?: readonly (string | number)[]
  /** The time zone, such as `Europe/Berlin` or `Local` (default UTC). */
  readonly location?: string
}

/** A time interval that routes refer to by its name. @see Alertmanager configuration, `<time_interval>` */
export interface AlertmanagerTimeInterval {
  readonly name: string
  /** The interval includes the times of each item. */
  readonly time_intervals?: readonly AlertmanagerTimes[]
}
