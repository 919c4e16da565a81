import { Cron } from 'croner'
import type { Instant } from '../time/clock.ts'
import type { Schedule } from './webhook.ts'

/**
 * The first time of a schedule after an instant; `undefined` if there is none. A time that the clock skips in spring is the first
 * one after the gap; one that it shows twice in autumn is the first of both.
 *
 * @throws {Error} if the schedule cannot be read.
 */
export function nextTime(
  { cron, time_zone }: Pick<Schedule, 'cron' | 'time_zone'>,
  after: Instant,
): Instant | undefined {
  const times = new Cron(cron, { timezone: time_zone, mode: '5-part', paused: true })
  return times.nextRun(new Date(after))?.getTime()
}
