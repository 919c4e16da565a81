import type { Instant } from '../../time/clock.ts'
import { type Acknowledgement, acknowledgementAt } from '../alert/acknowledgement.ts'
import {
  type AlertEntry,
  type AlertStatus,
  type SilenceEntry,
  unsuppressed,
} from './alert-entry.ts'

/** Whether something suppresses the alert, or its group is muted. */
export function alertState(
  status: AlertStatus,
  mutedBy: readonly string[] = [],
): 'active' | 'suppressed' {
  const causes = status.silencedBy.length + status.inhibitedBy.length + mutedBy.length
  return causes === 0 ? 'active' : 'suppressed'
}

/** The silences that are active now, by id. */
export function activeSilences(
  silences: Iterable<SilenceEntry> | undefined,
  now: Instant,
): SilenceEntry[] {
  const active: SilenceEntry[] = []
  for (const silence of silences ?? []) {
    if (silence.startsAt <= now && now < silence.endsAt) active.push(silence)
  }
  return active.sort((a, b) => (a.id < b.id ? -1 : 1))
}

/**
 * The current status of the alert. While it is unchanged this returns the same object, which the entry caches, so that callers
 * can compare by identity.
 */
export function statusOf(
  entry: AlertEntry,
  inhibitor: AlertEntry | undefined,
  now: Instant,
): AlertStatus {
  const silenced = entry.silences !== undefined && entry.silences.size > 0
  const silences = silenced ? activeSilences(entry.silences, now) : noSilences
  const acknowledgement = acknowledgementAt(entry.alert, now)
  const before = entry.status
  if (isSame(before, acknowledgement, inhibitor, silences)) return before
  entry.status =
    inhibitor === undefined && silences.length === 0 && acknowledgement === undefined
      ? unsuppressed
      : {
          silencedBy: silences.map(({ id }) => id),
          inhibitedBy: inhibitor === undefined ? [] : [inhibitor.fingerprint],
          acknowledgement,
        }
  return entry.status
}

const noSilences: readonly SilenceEntry[] = []

function isSame(
  before: AlertStatus,
  acknowledgement: Acknowledgement | undefined,
  inhibitor: AlertEntry | undefined,
  silences: readonly SilenceEntry[],
): boolean {
  const { silencedBy, inhibitedBy } = before
  return (
    before.acknowledgement === acknowledgement &&
    inhibitedBy[0] === inhibitor?.fingerprint &&
    silencedBy.length === silences.length &&
    (silences.length === 0 || silences.every(({ id }, index) => silencedBy[index] === id))
  )
}
