import { shareRuns } from '../../../async/shared-runs.ts'
import type { Logger } from '../../../logger.ts'
import { defineCollection, type TypedCollection } from '../../../storage/collection.ts'
import type { Storage, Version } from '../../../storage/storage.ts'
import { createView } from '../../../storage/view.ts'
import type { Clock, Instant } from '../../../time/clock.ts'
import {
  createWaitingList,
  type WaitingLimits,
  type WaitingList,
  type WaitingPlace,
} from './waiting-list.ts'

/** Approved links, by the channels of the flows that wait for them. */
export const approvalCollection: TypedCollection<{ readonly approved_at: Instant }> =
  defineCollection({ name: 'auth_approvals', feed: true })

/** A connection that waits for the approval of a link. Its methods never throw. */
export interface Listener {
  /** The link was approved. */
  refresh(): void
  /** Keeps the connection alive. */
  ping(): void
  /** Ends the connection. */
  end(reason: 'expired' | 'closing'): void
}

/** The place of a listener, and how long it may wait. */
export interface ListenOptions extends WaitingPlace {
  readonly until: Instant
}

/** The listeners of this process that wait for the approval of links, limited in number. */
export interface Listeners {
  /** Whether another listener may wait. */
  hasRoom(place: WaitingPlace): boolean
  /**
   * Adds a listener, and notifies it at once if the link is approved already. Returns a function that removes it; `undefined` if
   * there is no room.
   */
  add(listener: Listener, options: ListenOptions): (() => void) | undefined
  /** Polls now instead of within a second. */
  look(): Promise<void>
  /** Ends all listeners, and accepts no others. */
  close(): void
  readonly size: number
}

/** Options of {@link createListeners}. */
export interface ListenersOptions {
  storage: Storage
  clock: Clock
  logger: Logger
  /** Default: 10,000 in total, 1,000 for each address, 20 for each channel. */
  limits?: WaitingLimits
}

const lookEveryMs = 1_000
const pingEveryMs = 25_000
const defaultLimits: WaitingLimits = { inAll: 10_000, perAddress: 1_000, perChannel: 20 }

interface Waiting extends ListenOptions {
  readonly listener: Listener
  pingAt: Instant
  /** The approval that it was notified of, so that it is notified once. */
  notifiedOf: Version | undefined
}

/** Creates {@link Listeners}. Polls for approvals once a second while there are listeners. */
export function createListeners(options: ListenersOptions): Listeners {
  const { clock, limits = defaultLimits } = options
  const list = createWaitingList<Waiting>(limits)
  /** New listeners, whose links may be approved already. */
  const fresh = new Set<Waiting>()
  /** Calls during a poll share the next one, so that a slow storage gets no more requests than that. */
  const look = shareRuns(pollApprovals(options, list, fresh))
  let isClosed = false
  let cancelTimer: (() => void) | undefined

  const remove = (waiting: Waiting): void => {
    fresh.delete(waiting)
    if (!list.remove(waiting) || list.size > 0) return
    cancelTimer?.()
    cancelTimer = undefined
  }

  const attend = (waiting: Waiting, now: Instant): void => {
    if (now >= waiting.until) {
      remove(waiting)
      waiting.listener.end('expired')
    } else if (now >= waiting.pingAt) {
      waiting.pingAt = now + pingEveryMs
      waiting.listener.ping()
    }
  }

  const setTimer = (): void => {
    cancelTimer = list.size === 0 ? undefined : clock.setTimer(lookEveryMs, turn)
  }

  const turn = (): void => {
    const now = clock.now()
    for (const waiting of list.all()) attend(waiting, now)
    void look()
    setTimer()
  }

  return {
    hasRoom: (place) => !isClosed && list.hasRoom(place),
    add(listener, given) {
      if (isClosed || !list.hasRoom(given)) return undefined
      const pingAt = clock.now() + pingEveryMs
      const waiting: Waiting = { ...given, listener, pingAt, notifiedOf: undefined }
      list.add(waiting)
      fresh.add(waiting)
      if (cancelTimer === undefined) setTimer()
      void look()
      return () => remove(waiting)
    },
    look,
    close() {
      isClosed = true
      for (const waiting of list.all()) {
        remove(waiting)
        waiting.listener.end('closing')
      }
    },
    get size() {
      return list.size
    },
  }
}

/** Returns a function that notifies the listeners in the list of approvals. Those that are `fresh` are removed from there. */
function pollApprovals(
  { storage, clock, logger }: ListenersOptions,
  list: WaitingList<Waiting>,
  fresh: Set<Waiting>,
): () => Promise<void> {
  const view = createView({
    storage,
    clock,
    collection: approvalCollection,
    // The storage has the approvals, so nothing is cached here.
    projection: {
      put: ({ id, version }) => {
        for (const waiting of list.on(id)) notify(waiting, version)
      },
      remove() {},
      clear() {},
    },
  })

  const pollForFresh = async (): Promise<void> => {
    const waiting = [...fresh]
    if (waiting.length === 0) return
    const records = await storage.get(
      approvalCollection,
      waiting.map(({ channel }) => channel),
    )
    for (const [index, one] of waiting.entries()) {
      const record = records[index]
      fresh.delete(one)
      if (record !== undefined) notify(one, record.version)
    }
  }

  return async () => {
    if (list.size === 0) return
    try {
      await pollForFresh()
      await view.refresh()
    } catch (error) {
      logger.warn({ err: error }, 'approvals of links could not be read')
    }
  }
}

function notify(waiting: Waiting, version: Version): void {
  if (waiting.notifiedOf === version) return
  waiting.notifiedOf = version
  waiting.listener.refresh()
}
