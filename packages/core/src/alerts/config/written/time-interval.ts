interface AlertmanagerTimeRange {
  /** As `09:00`. It belongs to the range. */
  readonly start_time: string
  /** As `17:00` or `24:00`. It does not belong to the range. */
  readonly end_time: string
}

/** Times for which all of these hold; a key that is absent holds always. Both ends of a range such as `1:5` belong to it. */
interface AlertmanagerTimes {
  readonly times?: readonly AlertmanagerTimeRange[]
  /** Such as `monday:friday` or `sunday`. */
  readonly weekdays?: readonly string[]
  /** Such as `1:5`; negative days count from the end of the month, as `-3:-1`. */
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
  /** It holds while one of these does. */
  readonly time_intervals?: readonly AlertmanagerTimes[]
}
