import { createExpiryQueue } from '../../storage/expiry-queue.ts'
import type { Projection } from '../../storage/view.ts'
import type { Instant } from '../../time/clock.ts'
import type { StoredAlert } from '../alert/alert.ts'
import { wasPostedFiring } from './alert-event.ts'

/** Alerts whose last post had an end in the future, to notice when that end passes. */
export interface EndingAlerts extends Projection<StoredAlert> {
  /** How many there are: the firing alerts, and those that ended and were not taken yet. */
  readonly size: number
  /** Removes and returns alerts whose end has passed, up to `limit`, with their fingerprints. */
  takeEnded(now: Instant, limit: number): readonly (readonly [string, StoredAlert])[]
}

/** Creates an empty {@link EndingAlerts}. */
export function createEndingAlerts(): EndingAlerts {
  const alerts = new Map<string, StoredAlert>()
  const ends = createExpiryQueue()
  return {
    put({ id, value }) {
      if (wasPostedFiring(value)) {
        alerts.set(id, value)
        ends.set(id, value.endsAt)
      } else {
        alerts.delete(id)
        ends.set(id, undefined)
      }
    },

    /** Alerts are removed only after their end, so a removed alert has ended as well. */
    remove() {},

    clear() {
      alerts.clear()
      ends.clear()
    },

    get size() {
      return alerts.size
    },

    takeEnded(now, limit) {
      const taken: (readonly [string, StoredAlert])[] = []
      for (const id of ends.takeExpired(now, limit)) {
        const alert = alerts.get(id)
        if (alert !== undefined) taken.push([id, alert])
        alerts.delete(id)
      }
      return taken
    },
  }
}
