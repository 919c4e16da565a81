import type { TimeStyle } from './time-style.ts'
import { timeWriter } from './write-time.ts'

const day = 86_400_000

/** An instant in as few words as it needs: `16:44` on the same day, `Tue 16:44` within six days, else with its date. */
export function shortMoment(at: number, now: number, style: TimeStyle): string {
  const date = timeWriter({ dateStyle: 'medium' }, style)
  const options: Intl.DateTimeFormatOptions =
    date(at) === date(now)
      ? { timeStyle: 'short' }
      : Math.abs(at - now) < 6 * day
        ? { weekday: 'short', hour: 'numeric', minute: '2-digit' }
        : { dateStyle: 'medium', timeStyle: 'short' }
  return timeWriter(options, style)(at)
}
