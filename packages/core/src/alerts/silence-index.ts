import type { Instant } from '../clock.ts'
import type { TypedRecord } from '../collection.ts'
import { createExpiryQueue } from '../expiry-queue.ts'
import type { Projection } from '../view.ts'
import type { AlertEntry, SilenceEntry } from './alert-entry.ts'
import type { LabelSet } from './label-set.ts'
import type { Matcher } from './matcher.ts'
import { createMatcherIndex } from './matcher-index.ts'
import { type StoredSilence, silenceMatchers } from './silence.ts'

/** The silences of the service in memory, and which alerts they match. */
export interface SilenceIndex extends Projection<StoredSilence> {
  get(id: string): SilenceEntry | undefined
  values(): Iterable<SilenceEntry>
  readonly size: number
  /** Links a new alert with the silences that match it. */
  link(alert: AlertEntry): void
  /** Cuts an alert that is no longer live from its silences. */
  unlink(alert: AlertEntry): void
  /** Silences that match these labels and have not expired. */
  matching(labels: LabelSet): SilenceEntry[]
  /** Lets go of the links of silences that have expired: they never become active again. */
  advance(now: Instant): void
}

/**
 * An empty index.
 *
 * @param alertsMatching finds the live alerts that a silence's matchers match.
 */
export function createSilenceIndex(
  alertsMatching: (matchers: readonly Matcher[]) => readonly AlertEntry[],
): SilenceIndex {
  const byId = new Map<string, SilenceEntry>()
  /** Those that may still be or become active. */
  const current = createMatcherIndex<SilenceEntry>()
  const ends = createExpiryQueue()

  const letGo = (entry: SilenceEntry): void => {
    current.remove(entry)
    for (const alert of entry.alerts) alert.silences?.delete(entry)
    entry.alerts.clear()
  }

  const linkWith = (entry: SilenceEntry, alert: AlertEntry): void => {
    entry.alerts.add(alert)
    if (alert.silences === undefined) alert.silences = new Set([entry])
    else alert.silences.add(entry)
  }

  return {
    clear() {
      for (const entry of byId.values()) letGo(entry)
      byId.clear()
      ends.clear()
    },

    put({ id, value, version }: TypedRecord<StoredSilence>) {
      const before = byId.get(id)
      if (before !== undefined) letGo(before)
      const entry: SilenceEntry = {
        id,
        silence: value,
        version,
        matchers: silenceMatchers(value),
        startsAt: value.startsAt,
        endsAt: value.endsAt,
        alerts: new Set(),
      }
      byId.set(id, entry)
      current.add(entry, entry.matchers)
      ends.set(id, entry.endsAt)
      for (const alert of alertsMatching(entry.matchers)) linkWith(entry, alert)
    },

    remove(id) {
      const entry = byId.get(id)
      if (entry === undefined) return
      letGo(entry)
      ends.set(id, undefined)
      byId.delete(id)
    },

    get: (id) => byId.get(id),

    values: () => byId.values(),

    get size() {
      return byId.size
    },

    link(alert) {
      for (const entry of current.matching(alert.labels)) linkWith(entry, alert)
    },

    unlink(alert) {
      for (const entry of alert.silences ?? []) entry.alerts.delete(alert)
      alert.silences = undefined
    },

    matching: (labels) => current.matching(labels),

    advance(now) {
      for (const id of ends.takeExpired(now)) {
        const entry = byId.get(id)
        if (entry !== undefined) letGo(entry)
      }
    },
  }
}
