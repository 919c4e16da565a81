import type { Instant } from '../clock.ts'
import type { TypedRecord } from '../collection.ts'
import { createExpiryQueue } from '../expiry-queue.ts'
import type { Projection } from '../view.ts'
import { isResolved, type StoredAlert } from './alert.ts'
import { type AlertEntry, byFingerprint, createAlertEntry } from './alert-entry.ts'
import { createLabelIndex } from './label-index.ts'
import { labelSetFromObject } from './label-set.ts'
import type { Matcher } from './matcher.ts'

/** Told when an alert starts or ceases to be live, so that others can link with it. */
export interface LiveListener {
  /** The alert is firing and was not. */
  enter(entry: AlertEntry): void
  /** The alert was firing; it is resolved or gone. */
  leave(entry: AlertEntry): void
}

/** The alerts of the service in memory: all that are stored by fingerprint, those that fire by their labels. */
export interface AlertIndex extends Projection<StoredAlert> {
  /** The stored alert, resolved or not. */
  get(fingerprint: string): AlertEntry | undefined
  /** Stored alerts, resolved or not, in no order. */
  values(): Iterable<AlertEntry>
  /** Live alerts that all matchers match, by fingerprint. */
  matching(matchers: readonly Matcher[]): readonly AlertEntry[]
  /** Live alerts with this label. */
  count(name: string, value: string): number
  /** Takes alerts that have ended by now out of the live ones. */
  advance(now: Instant): void
  /** Lets every live alert leave, calls `change`, and lets them enter again: what the listener works out changes. */
  reenter(change: () => void): void
  readonly size: number
  readonly liveSize: number
}

/** An empty index. */
export function createAlertIndex(listener: LiveListener): AlertIndex {
  const byId = new Map<string, AlertEntry>()
  const live = createLabelIndex<AlertEntry>()
  const ends = createExpiryQueue()
  /** Live alerts by fingerprint, but for those in `entered` and with those that left since. */
  let sorted: AlertEntry[] = []
  let entered: AlertEntry[] = []
  let someLeft = false
  /** Until this instant everything live is firing. */
  let advancedTo: Instant = Number.NEGATIVE_INFINITY

  const enter = (entry: AlertEntry): void => {
    entry.live = true
    live.add(entry)
    entered.push(entry)
    listener.enter(entry)
  }

  const leave = (entry: AlertEntry): void => {
    listener.leave(entry)
    live.remove(entry)
    entry.live = false
    entry.rendered = undefined
    entry.renderedInGroup = undefined
    someLeft = true
  }

  const sortedLive = (): readonly AlertEntry[] => {
    if (someLeft) {
      sorted = sorted.filter((entry) => entry.live)
      entered = entered.filter((entry) => entry.live)
      someLeft = false
    }
    if (entered.length > 0) {
      sorted = mergeSorted(sorted, entered.sort(byFingerprint))
      entered = []
    }
    return sorted
  }

  return {
    clear() {
      for (const entry of byId.values()) if (entry.live) leave(entry)
      byId.clear()
      ends.clear()
    },

    put({ id, value, version }: TypedRecord<StoredAlert>) {
      let entry = byId.get(id)
      if (entry === undefined) {
        entry = createAlertEntry(id, labelSetFromObject(value.labels), value, version)
        byId.set(id, entry)
      } else {
        entry.alert = value
        entry.version = version
        entry.endsAt = value.endsAt
        entry.rendered = undefined
        entry.renderedInGroup = undefined
      }
      const fires = !isResolved(value, advancedTo)
      if (fires && !entry.live) enter(entry)
      else if (!fires && entry.live) leave(entry)
      ends.set(id, fires ? value.endsAt : undefined)
    },

    remove(id) {
      const entry = byId.get(id)
      if (entry === undefined) return
      if (entry.live) leave(entry)
      ends.set(id, undefined)
      byId.delete(id)
    },

    get: (fingerprint) => byId.get(fingerprint),

    values: () => byId.values(),

    matching(matchers) {
      const all = sortedLive()
      if (matchers.length === 0) return all
      const found = live.matching(matchers)
      if (found.length * 8 < all.length) return found.sort(byFingerprint)
      const chosen = new Set(found)
      return all.filter((entry) => chosen.has(entry))
    },

    count: (name, value) => live.count(name, value),

    advance(now) {
      advancedTo = now
      for (const id of ends.takeExpired(now)) {
        const entry = byId.get(id)
        if (entry?.live) leave(entry)
      }
    },

    reenter(change) {
      const entries = sortedLive()
      for (const entry of entries) listener.leave(entry)
      change()
      for (const entry of entries) {
        entry.rendered = undefined
        entry.renderedInGroup = undefined
        listener.enter(entry)
      }
    },

    get size() {
      return byId.size
    },

    get liveSize() {
      return live.size
    },
  }
}

/** Both in ascending order by fingerprint; an alert that left and entered again is in both, and is kept once. */
function mergeSorted(a: readonly AlertEntry[], b: readonly AlertEntry[]): AlertEntry[] {
  const merged: AlertEntry[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    const left = a[i]
    const right = b[j]
    const takeLeft = right === undefined || (left !== undefined && byFingerprint(left, right) <= 0)
    const next = takeLeft ? left : right
    if (takeLeft) i++
    else j++
    if (next !== undefined && merged.at(-1) !== next) merged.push(next)
  }
  return merged
}
