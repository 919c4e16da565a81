import { createExpiryQueue } from '../../storage/expiry-queue.ts'
import type { Instant } from '../../time/clock.ts'
import { isResolved, type StoredAlert } from '../alert/alert.ts'
import type { Matcher } from '../matcher/matcher.ts'
import { type AlertEntry, createAlertEntry } from './alert-entry.ts'
import { createFiringList } from './firing-list.ts'
import { createLabelIndex } from './label-index.ts'
import { createStoredRecords, type StoredRecords } from './stored-records.ts'

/** Notified when an alert starts or stops firing, to link it with silences, rules and groups. */
export interface FiringListener {
  /** The alert has started to fire. Runs in slices. */
  enter(entry: AlertEntry): Generator<void>
  /** The alert has stopped firing: it is resolved or removed. */
  leave(entry: AlertEntry): void
  /** A firing alert was posted again; `before` is what it was. Returns whether that changed nothing but its times. */
  update(entry: AlertEntry, before: StoredAlert): boolean
  /** A firing alert must be routed again. */
  reroute(entry: AlertEntry): void
}

/**
 * The alerts of the service in memory: all stored ones by fingerprint, firing ones by their labels. Stored records are known at
 * once; the firing ones are computed when they are read, so that writes do not wait for it.
 */
export interface AlertIndex {
  /** The stored alerts by fingerprint, resolved or not. */
  readonly stored: StoredRecords<StoredAlert>
  /** Computes the firing alerts at this instant, in slices. The members below show the last computation that finished. */
  advance(now: Instant): Generator<void>
  /** Whether the alert is firing. */
  isFiring(fingerprint: string): boolean
  /** A firing alert. */
  get(fingerprint: string): AlertEntry | undefined
  /** Firing alerts by fingerprint. */
  all(): readonly AlertEntry[]
  /** Firing alerts that match all matchers, in slices. */
  matching(matchers: readonly Matcher[]): Generator<void, readonly AlertEntry[]>
  /** Firing alerts that were acknowledged, in no order. The acknowledgement may have ended. */
  acknowledged(): Iterable<AlertEntry>
  /** The number of firing alerts with this label. */
  count(name: string, value: string): number
  /** Routes every firing alert again. */
  reroute(): void
  /** The number of firing alerts. */
  readonly firingSize: number
  /** Grows whenever the firing alerts change in more than their times. */
  readonly revision: number
}

/** Creates an empty index. */
export function createAlertIndex(listener: FiringListener): AlertIndex {
  const stored = createStoredRecords<StoredAlert>()
  const firing = new Map<string, AlertEntry>()
  const byLabel = createLabelIndex<AlertEntry>()
  const ends = createExpiryQueue()
  const acknowledged = new Set<AlertEntry>()
  const list = createFiringList(firing)
  let revision = 0

  function* enter(entry: AlertEntry): Generator<void> {
    firing.set(entry.fingerprint, entry)
    byLabel.add(entry)
    list.add(entry)
    yield* listener.enter(entry)
    list.trim()
  }

  const leave = (entry: AlertEntry): void => {
    revision++
    listener.leave(entry)
    byLabel.remove(entry)
    acknowledged.delete(entry)
    firing.delete(entry.fingerprint)
    list.noteLeft()
  }

  const noteAcknowledgement = (entry: AlertEntry): void => {
    if (entry.alert.acknowledgement !== undefined) acknowledged.add(entry)
    else if (acknowledged.size > 0) acknowledged.delete(entry)
  }

  function* settle(id: string, now: Instant): Generator<void> {
    const alert = stored.get(id)?.value
    const entry = firing.get(id)
    const fires = alert !== undefined && !isResolved(alert, now)
    ends.set(id, fires ? alert.endsAt : undefined)
    if (!fires) {
      if (entry !== undefined) leave(entry)
    } else if (entry === undefined) {
      revision++
      const entered = createAlertEntry(id, alert)
      noteAcknowledgement(entered)
      yield* enter(entered)
    } else {
      const before = entry.alert
      entry.alert = alert
      noteAcknowledgement(entry)
      if (!listener.update(entry, before)) revision++
    }
  }

  return {
    stored,

    *advance(now) {
      for (const id of stored.takeChanged()) {
        yield* settle(id, now)
        yield
      }
      for (const id of ends.takeExpired(now)) {
        const entry = firing.get(id)
        if (entry !== undefined) leave(entry)
        yield
      }
    },

    get: (fingerprint) => firing.get(fingerprint),

    isFiring: (fingerprint) => firing.has(fingerprint),

    all: () => list.all(),

    *matching(matchers) {
      if (matchers.length === 0) return list.all()
      const found = yield* byLabel.matching(matchers)
      // Leave out alerts that stopped firing during the search.
      return list.among(found)
    },

    acknowledged: () => acknowledged,

    count: (name, value) => byLabel.count(name, value),

    reroute() {
      revision++
      for (const entry of list.all()) listener.reroute(entry)
    },

    get firingSize() {
      return firing.size
    },

    get revision() {
      return revision
    },
  }
}
