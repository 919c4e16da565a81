import { type Clock, timeFunctions } from '../go-time/time-functions.ts'
import type { Functions } from '../value.ts'
import { textFunctions } from './text-functions.ts'
import { valueFunctions } from './value-functions.ts'

/**
 * Alertmanager's template functions beside the builtin ones, except those about alerts.
 *
 * @param clock the clock for `now` and `since`.
 * @see Alertmanager documentation, "Notification template reference"
 */
export function libraryFunctions(clock: Clock): Functions {
  return new Map([...textFunctions, ...valueFunctions, ...timeFunctions(clock)])
}
