import type { FromWorker, ToWorker, WorkerText } from './messages.ts'

/** How long a busy worker may take; then its metrics are missing. */
const timeoutMs = 2_000

interface Collection<P> {
  readonly texts: WorkerText[]
  readonly missing: Set<P>
  finish(): void
}

/** Collects the metrics of workers for one of them. */
export interface MetricsCollector<P> {
  /** Asks `others` for their metrics, and sends them to `asker`. */
  collect(asker: P, others: readonly P[], asked: Extract<FromWorker, { type: 'collect' }>): void
  /** A worker has answered. */
  exposed(place: P, answer: Extract<FromWorker, { type: 'exposed' }>): void
  /** A worker has ended. */
  gone(place: P): void
}

/** @param send sends to a worker. */
export function collectMetrics<P extends { readonly number: number }>(
  send: (place: P, message: ToWorker) => void,
): MetricsCollector<P> {
  const open = new Map<number, Collection<P>>()
  let lastId = 0

  const settle = (collection: Collection<P> | undefined, place: P): void => {
    if (collection?.missing.delete(place) && collection.missing.size === 0) collection.finish()
  }
  return {
    collect(asker, others, { id: askedId, accept }) {
      const id = ++lastId
      const texts: WorkerText[] = []
      const finish = (): void => {
        clearTimeout(timer)
        open.delete(id)
        send(asker, { type: 'collected', id: askedId, texts })
      }
      const timer = setTimeout(finish, timeoutMs)
      if (others.length === 0) return finish()
      open.set(id, { texts, missing: new Set(others), finish })
      for (const other of others) send(other, { type: 'expose', id, accept })
    },
    exposed(place, { id, text }) {
      const collection = open.get(id)
      collection?.texts.push({ worker: place.number, text })
      settle(collection, place)
    },
    gone(place) {
      for (const collection of [...open.values()]) settle(collection, place)
    },
  }
}
