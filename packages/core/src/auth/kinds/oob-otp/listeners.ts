import type { Logger } from '../../../logger.ts'
import type { Storage, Version } from '../../../storage/storage.ts'
import { createView } from '../../../storage/view.ts'
import type { Clock, Instant } from '../../../time/clock.ts'
import { approvalCollection } from '../../collections.ts'
import { createWaitingList, type WaitingLimits, type WaitingPlace } from './waiting-list.ts'

/** A connection that waits for the approval of a link. Its methods never throw. */
export interface Listener {
  /** The link was approved. */
  refresh(): void
  /** Shows that the connection is alive. */
  ping(): void
  /** Nothing more comes. */
  end(reason: 'expired' | 'closing'): void
}

/** Who waits, and for how long at most. */
export interface ListenOptions extends WaitingPlace {
  readonly until: Instant
}

/** Those of this process who wait for the approval of links, of whom there are at most so many. */
export interface Listeners {
  /** Whether one more may wait. */
  hasRoom(place: WaitingPlace): boolean
  /**
   * Lets one more wait: told at once if the link was approved already. What is answered lets it wait no more; `undefined`
   * if there is no room.
   */
  add(listener: Listener, options: ListenOptions): (() => void) | undefined
  /** Looks now for what was approved, instead of within a second. */
  look(): Promise<void>
  /** Ends all that wait, and lets nobody wait any more. */
  close(): void
  readonly size: number
}

/** Options of {@link createListeners}. */
export interface ListenersOptions {
  storage: Storage
  clock: Clock
  logger: Logger
  /** Default: 10,000 in all, 1,000 of one address, 20 for one channel. */
  limits?: WaitingLimits
}

const lookEveryMs = 1_000
const pingEveryMs = 25_000
const defaultLimits: WaitingLimits = { inAll: 10_000, perAddress: 1_000, perChannel: 20 }

interface Waiting extends ListenOptions {
  readonly listener: Listener
  pingAt: Instant
  /** The approval it was told of: of each it is told once. */
  toldOf: Version | undefined
}

/** Nobody waits yet. While somebody does, approvals are looked for once a second; else nothing runs. */
export function createListeners(options: ListenersOptions): Listeners {
  const { storage, clock, logger, limits = defaultLimits } = options
  const list = createWaitingList<Waiting>(limits)
  /** For whom it was not yet looked whether the link is approved already. */
  const fresh = new Set<Waiting>()
  let isClosed = false
  let looking: Promise<void> | undefined
  let isAskedAgain = false
  let cancelTimer: (() => void) | undefined

  const view = createView({
    storage,
    clock,
    collection: approvalCollection,
    // What was approved is in the storage: nothing of it is kept here.
    projection: {
      put: ({ id, version }) => {
        for (const waiting of list.on(id)) tell(waiting, version)
      },
      remove() {},
      clear() {},
    },
  })

  const lookForFresh = async (): Promise<void> => {
    const waiting = [...fresh]
    if (waiting.length === 0) return
    const records = await storage.get(
      approvalCollection,
      waiting.map(({ channel }) => channel),
    )
    for (const [index, one] of waiting.entries()) {
      const record = records[index]
      fresh.delete(one)
      if (record !== undefined) tell(one, record.version)
    }
  }

  const lookOnce = async (): Promise<void> => {
    if (list.size === 0) return
    try {
      await lookForFresh()
      await view.refresh()
    } catch (error) {
      logger.warn({ err: error }, 'approvals of links could not be looked for')
    }
  }

  const lookWhileAsked = async (): Promise<void> => {
    do {
      isAskedAgain = false
      await lookOnce()
    } while (isAskedAgain)
    looking = undefined
  }

  /** Whoever asks during a look gets the next one: of a storage that takes long no more than that is asked. */
  const look = (): Promise<void> => {
    isAskedAgain = looking !== undefined
    looking ??= lookWhileAsked()
    return looking
  }

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
      const waiting: Waiting = { ...given, listener, pingAt, toldOf: undefined }
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

function tell(waiting: Waiting, version: Version): void {
  if (waiting.toldOf === version) return
  waiting.toldOf = version
  waiting.listener.refresh()
}
