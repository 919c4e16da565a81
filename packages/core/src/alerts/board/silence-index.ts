import { createExpiryQueue } from '../../storage/expiry-queue.ts'
import type { Instant } from '../../time/clock.ts'
import type { LabelSet } from '../alert/label-set.ts'
import type { Matcher } from '../matcher/matcher.ts'
import { isReminderOf, type StoredSilence, silenceMatchers } from '../silence/silence.ts'
import type { AlertEntry, SilenceEntry } from './alert-entry.ts'
import { createMatcherIndex } from './matcher-index.ts'
import { createStoredRecords, type StoredRecords } from './stored-records.ts'

/**
 * The silences of the service in memory, and the alerts that they match. Stored records are known at once; matches are computed
 * when they are read, so that writes do not wait for them.
 */
export interface SilenceIndex {
  /** The stored silences by id, in any state. */
  readonly stored: StoredRecords<StoredSilence>
  /** Computes the matches at this instant, in slices. The members below show the last computation that finished. */
  advance(now: Instant): Generator<void>
  /** Silences with their matchers, in no order. */
  entries(): Iterable<SilenceEntry>
  /** The number of {@link SilenceIndex.entries}. */
  readonly size: number
  /** Links a new alert with the silences that match it, in slices. */
  link(alert: AlertEntry): Generator<void>
  /** Removes the links between an alert that no longer fires and its silences. */
  unlink(alert: AlertEntry): void
  /** The first instant after `now` at which the state of a silence changes; infinite if there is none. */
  changesAfter(now: Instant): Instant
  /** Grows whenever a silence changes, and when one expires. */
  readonly revision: number
  /** Silences that match these labels and have not expired, in slices. */
  matching(labels: LabelSet): Generator<void, SilenceEntry[]>
}

/**
 * Creates an empty index.
 *
 * @param alertsMatching finds the firing alerts that match a silence's matchers.
 */
export function createSilenceIndex(
  alertsMatching: (matchers: readonly Matcher[]) => Generator<void, readonly AlertEntry[]>,
): SilenceIndex {
  const stored = createStoredRecords<StoredSilence>()
  const entries = new Map<string, SilenceEntry>()
  /** Active and pending silences. */
  const current = createMatcherIndex<SilenceEntry>()
  const ends = createExpiryQueue()
  let revision = 0

  /** Removes the links of a silence that has expired or was removed: it never becomes active again. */
  const letGo = (entry: SilenceEntry): void => {
    current.remove(entry)
    for (const alert of entry.alerts) alert.silences?.delete(entry)
    entry.alerts.clear()
  }

  function* settle(id: string, now: Instant): Generator<void> {
    revision++
    const before = entries.get(id)
    if (before !== undefined) letGo(before)
    const silence = stored.get(id)?.value
    if (silence === undefined) {
      entries.delete(id)
      ends.set(id, undefined)
      return
    }
    const entry = createEntry(id, silence)
    const { endsAt, matchers } = entry
    entries.set(id, entry)
    if (endsAt <= now) {
      ends.set(id, undefined)
      return
    }
    ends.set(id, endsAt)
    current.add(entry, matchers)
    for (const alert of yield* alertsMatching(matchers)) linkWith(entry, alert)
  }

  return {
    stored,

    *advance(now) {
      for (const id of stored.takeChanged()) {
        yield* settle(id, now)
        yield
      }
      for (const id of ends.takeExpired(now)) {
        revision++
        const entry = entries.get(id)
        if (entry !== undefined) letGo(entry)
        yield
      }
    },

    entries: () => entries.values(),

    get size() {
      return entries.size
    },

    changesAfter: (now) => nextChange(entries.values(), now),

    get revision() {
      return revision
    },

    *link(alert) {
      for (const entry of yield* current.matchingInSteps(alert.labels)) linkWith(entry, alert)
    },

    unlink(alert) {
      for (const entry of alert.silences ?? []) entry.alerts.delete(alert)
      alert.silences = undefined
    },

    *matching(labels) {
      const found = yield* current.matchingInSteps(labels)
      return found.some(({ id }) => isReminderOf(labels, id))
        ? found.filter(({ id }) => !isReminderOf(labels, id))
        : found
    },
  }
}

function createEntry(id: string, silence: StoredSilence): SilenceEntry {
  const { startsAt, endsAt } = silence
  const matchers = silenceMatchers(silence)
  return { id, silence, matchers, startsAt, endsAt, alerts: new Set(), rendered: undefined }
}

function linkWith(entry: SilenceEntry, alert: AlertEntry): void {
  if (isReminderOf(alert.labels, entry.id)) return
  entry.alerts.add(alert)
  if (alert.silences === undefined) alert.silences = new Set([entry])
  else alert.silences.add(entry)
}

function nextChange(entries: Iterable<SilenceEntry>, now: Instant): Instant {
  let next = Number.POSITIVE_INFINITY
  for (const { startsAt, endsAt } of entries) {
    const at = startsAt > now ? startsAt : endsAt
    if (at > now && at < next) next = at
  }
  return next
}
