import { isExpectedError } from '../../go-error.ts'
import { anyParameter, stringParameter, templateFunction } from '../make-function.ts'
import type { Functions, Value } from '../value.ts'
import { durationValue } from './duration-value.ts'
import { humanizeDuration } from './humanize.ts'
import { parseTime } from './parse.ts'
import { durationBetween, goTime, goZeroTime } from './time.ts'
import { formatInRun, timeParameter, timeValue } from './time-value.ts'
import { loadZone } from './zone.ts'

/** The source of the time now. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
}

/**
 * The template functions for times.
 *
 * @param clock the clock for `now` and `since`.
 * @see Alertmanager documentation, "Notification template reference"
 */
export function timeFunctions(clock: Clock): Functions {
  return new Map([
    [
      'date',
      templateFunction([stringParameter, timeParameter], ([layout, { time }], run) =>
        formatInRun(time, layout, run),
      ),
    ],
    ['humanizeDuration', templateFunction([anyParameter], ([value]) => humanizeDuration(value))],
    [
      'mustToDate',
      templateFunction([stringParameter, stringParameter], ([layout, text]) =>
        timeValue(parseTime(layout, text)),
      ),
    ],
    ['now', templateFunction([], () => timeValue(goTime(clock.now())))],
    [
      'since',
      templateFunction([timeParameter], ([{ time }]) =>
        durationValue(durationBetween(goTime(clock.now()), time)),
      ),
    ],
    [
      'toDate',
      templateFunction([stringParameter, stringParameter], ([layout, text]) =>
        toDate(layout, text),
      ),
    ],
    [
      'tz',
      templateFunction([stringParameter, timeParameter], ([zone, { time }]) =>
        timeValue({ ...time, zone: loadZone(zone) }),
      ),
    ],
  ])
}

/** Returns the zero time for invalid text. */
function toDate(layout: string, text: string): Value {
  try {
    return timeValue(parseTime(layout, text))
  } catch (error) {
    if (isExpectedError(error) && error.reason === 'InvalidTime') return timeValue(goZeroTime)
    throw error
  }
}
