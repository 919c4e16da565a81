import type { Instant } from '../clock.ts'
import { createExpiryQueue } from '../expiry-queue.ts'
import { isResolved, type StoredAlert } from './alert.ts'
import { type AlertEntry, byFingerprint, createAlertEntry } from './alert-entry.ts'
import { createLabelIndex } from './label-index.ts'
import type { Matcher } from './matcher.ts'
import { createStoredRecords, type StoredRecords } from './stored-records.ts'

/** Told when an alert starts or ceases to fire, so that others can link with it. */
export interface FiringListener {
  /** The alert is firing and was not. */
  enter(entry: AlertEntry): void
  /** The alert was firing; it is resolved or gone. */
  leave(entry: AlertEntry): void
}

/**
 * The alerts of the service in memory: all that are stored by fingerprint, those that fire by their labels. What is
 * stored is known at once; what fires is worked out when it is asked for, so that writing does not wait for it.
 */
export interface AlertIndex {
  /** What is stored by fingerprint, resolved or not. */
  readonly stored: StoredRecords<StoredAlert>
  /** Works out what fires at this instant. What follows answers as of the last call. */
  advance(now: Instant): void
  /** Whether the alert fires. */
  isFiring(fingerprint: string): boolean
  /** Firing alerts that all matchers match, by fingerprint. */
  matching(matchers: readonly Matcher[]): readonly AlertEntry[]
  /** How many firing alerts have this label. */
  count(name: string, value: string): number
  /** Lets every firing alert leave, calls `change`, and lets them enter again: what the listener works out changes. */
  reenter(change: () => void): void
  /** How many alerts fire. */
  readonly firingSize: number
}

/** An empty index. */
export function createAlertIndex(listener: FiringListener): AlertIndex {
  const stored = createStoredRecords<StoredAlert>()
  const firing = new Map<string, AlertEntry>()
  const byLabel = createLabelIndex<AlertEntry>()
  const ends = createExpiryQueue()
  /** Firing alerts by fingerprint, but for those in `entered` and with those that left since. */
  let sorted: AlertEntry[] = []
  let entered: AlertEntry[] = []
  let someLeft = false

  const enter = (entry: AlertEntry): void => {
    firing.set(entry.fingerprint, entry)
    byLabel.add(entry)
    entered.push(entry)
    listener.enter(entry)
    // Where nobody asks for the list, nobody else forgets who has left.
    if (someLeft && entered.length + sorted.length > 2 * firing.size + 1_000) sortedFiring()
  }

  const leave = (entry: AlertEntry): void => {
    listener.leave(entry)
    byLabel.remove(entry)
    firing.delete(entry.fingerprint)
    someLeft = true
  }

  const isIn = (entry: AlertEntry): boolean => firing.get(entry.fingerprint) === entry

  const sortedFiring = (): readonly AlertEntry[] => {
    if (someLeft) {
      sorted = sorted.filter(isIn)
      entered = entered.filter(isIn)
      someLeft = false
    }
    if (entered.length > 0) {
      sorted = mergeSorted(sorted, entered.sort(byFingerprint))
      entered = []
    }
    return sorted
  }

  const settle = (id: string, now: Instant): void => {
    const alert = stored.get(id)?.value
    const entry = firing.get(id)
    const fires = alert !== undefined && !isResolved(alert, now)
    ends.set(id, fires ? alert.endsAt : undefined)
    if (!fires) {
      if (entry !== undefined) leave(entry)
    } else if (entry === undefined) {
      enter(createAlertEntry(id, alert))
    } else {
      entry.alert = alert
      entry.rendered = undefined
      entry.renderedInGroup = undefined
    }
  }

  return {
    stored,

    advance(now) {
      for (const id of stored.takeChanged()) settle(id, now)
      for (const id of ends.takeExpired(now)) {
        const entry = firing.get(id)
        if (entry !== undefined) leave(entry)
      }
    },

    isFiring: (fingerprint) => firing.has(fingerprint),

    matching(matchers) {
      const all = sortedFiring()
      if (matchers.length === 0) return all
      const found = byLabel.matching(matchers)
      if (found.length * 8 < all.length) return found.sort(byFingerprint)
      const chosen = new Set(found)
      return all.filter((entry) => chosen.has(entry))
    },

    count: (name, value) => byLabel.count(name, value),

    reenter(change) {
      const entries = sortedFiring()
      for (const entry of entries) listener.leave(entry)
      change()
      for (const entry of entries) {
        entry.rendered = undefined
        entry.renderedInGroup = undefined
        listener.enter(entry)
      }
    },

    get firingSize() {
      return firing.size
    },
  }
}

/** Both in ascending order by fingerprint, with no alert in both. */
function mergeSorted(a: readonly AlertEntry[], b: readonly AlertEntry[]): AlertEntry[] {
  const merged: AlertEntry[] = []
  let i = 0
  for (const right of b) {
    for (let left = a[i]; left !== undefined && byFingerprint(left, right) < 0; left = a[i]) {
      merged.push(left)
      i++
    }
    merged.push(right)
  }
  return merged.concat(a.slice(i))
}
