import { readDuration, shortDuration } from '../time/durations.ts'
import { type MomentStyle, readMoment, writeMoment } from '../time/read-moment.ts'
import type { Zone } from '../time/time-style.ts'
import type { SilenceDraft } from './silence-draft.ts'

/** The fields about the time of a silence that does not recur. */
export interface SilenceTimes {
  /** As `Monday 9:00`; empty: now. */
  readonly start: string
  /** As `2h` or `until Monday 9:00`. */
  readonly duration: string
  readonly untilResolved: boolean
  /** How long before the end, as `15m`; `0s`: no reminder. */
  readonly reminder: string
  /** Whether its start can no longer be changed. */
  readonly hasStarted: boolean
  /** The times that the first texts stand for, exactly: the texts are rounded. */
  readonly initial?: { start: string; startsAt: number; duration: string; endsAt: number }
}

/** The first values of the fields. */
export function timesOfDraft(draft: SilenceDraft, zone: Zone): SilenceTimes {
  const { startsAt, endsAt, hasStarted = false, untilResolved = false, remindBeforeMs = 0 } = draft
  const same = { untilResolved, reminder: shortDuration(remindBeforeMs), hasStarted }
  if (startsAt === undefined || endsAt === undefined) return { start: '', duration: '2h', ...same }
  const texts = { start: writeMoment(startsAt, zone), duration: shortDuration(endsAt - startsAt) }
  return { ...texts, ...same, initial: { ...texts, startsAt, endsAt } }
}

/** The instants that the fields mean, in ms; `undefined` if a text means none. */
export function timesOf(
  { start, duration, initial }: SilenceTimes,
  now: number,
  style: MomentStyle,
): { startsAt: number | undefined; endsAt: number | undefined } {
  const isSame = start === initial?.start
  const startsAt = isSame
    ? initial.startsAt
    : start.trim() === ''
      ? now
      : readMoment(start, now, style)
  if (isSame && duration === initial.duration) return { startsAt, endsAt: initial.endsAt }
  const endsAt = startsAt === undefined ? undefined : readMoment(duration, startsAt, style)
  return { startsAt, endsAt }
}

/** The reminder in ms, if there is one. */
export const reminderMsOf = ({ reminder }: SilenceTimes): number => readDuration(reminder) ?? 0
