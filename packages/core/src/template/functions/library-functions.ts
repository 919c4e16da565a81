import type { Clock } from '../../time/clock.ts'
import { timeFunctions } from '../go-time/time-functions.ts'
import type { Functions } from '../value.ts'
import { textFunctions } from './text-functions.ts'
import { valueFunctions } from './value-functions.ts'

/**
 * The functions that Alertmanager's users know beside the builtin ones, but for those that deal with alerts.
 *
 * @param clock tells `now` and `since` the time.
 * @see Alertmanager documentation, "Notification template reference"
 */
export function libraryFunctions(clock: Clock): Functions {
  return new Map([...textFunctions, ...valueFunctions, ...timeFunctions(clock)])
}
