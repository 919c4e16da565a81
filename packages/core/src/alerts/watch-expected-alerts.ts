import type { Running } from '../async/running.ts'
import type { TypedRecord } from '../storage/collection.ts'
import { isConflict } from '../storage/storage.ts'
import { createView, type View } from '../storage/view.ts'
import type { Instant } from '../time/clock.ts'
import { alertCollection, isResolved, type StoredAlert } from './alert/alert.ts'
import { labelSetFromObject } from './alert/label-set.ts'
import type { AlertsConfig } from './config/config.ts'
import type { AlertsContext } from './context.ts'
import type { Activity } from './dispatch/pace/activity.ts'
import type { Expectation } from './expect/expectation.ts'
import {
  breakMs,
  type WatchRecord,
  wasUnwatched,
  watchCollection,
  watchEveryMs,
  watchExpiry,
} from './expect/watch-record.ts'
import { matchesAll } from './matcher/matcher.ts'
import { postDecodedAlerts } from './post-alerts.ts'

/** How often it looks, and how soon it tries again what failed. */
const lookEveryMs = 1_000
/** How long the alert fires unless it is posted again: longer than a restart. */
const alertLifeMs = 5 * 60_000
/** How often the alert is posted again. */
const repostMs = 60_000

/** An expectation that is watched. Times are on the scale of `monotonic()`, which no correction of the wall clock changes. */
interface Watched {
  readonly expectation: Expectation
  /** When the last expected alert came; `undefined` if none came yet. */
  seenAt: number | undefined
  /** Since when one could have come; `undefined` before the first look at the record. */
  since: number | undefined
  /** When it was last looked at without a failure. */
  lookedAt: number | undefined
  /** When the record is read and, unless another process did so, written again. */
  nextRecordAt: number
  /** The latest instant of the wall clock beyond its present that an alert had. */
  ahead: Instant
}

/**
 * Watches the expected alerts of the running configuration until it is stopped: posts an alert of its own while they are missing,
 * and ends it when they come again. Every process does this; the alert is the same, so receivers are notified once. Does nothing
 * while the configuration expects none.
 */
export function watchExpectedAlerts(alerts: AlertsContext, activity: Activity): Running {
  const { storage, clock, board, logger, dispatch } = alerts
  let config: AlertsConfig | undefined
  let watched: readonly Watched[] = []
  let view: View | undefined
  let cancelTimer = (): void => {}
  let looking: Promise<void> | undefined
  let isWanted = false
  let isFailing = false
  let isStopped = false

  const saw = (one: Watched, at: Instant): void => {
    const now = clock.now()
    // An alert from before the clock was set back must not count as new whenever it is read again.
    if (at > now && at <= one.ahead) return
    one.ahead = Math.max(one.ahead, at)
    const seenAt = clock.monotonic() - Math.max(0, now - at)
    one.seenAt = Math.max(one.seenAt ?? seenAt, seenAt)
  }

  const read = ({ id, value }: TypedRecord<StoredAlert>): void => {
    if (watched.some(({ expectation }) => expectation.alert.fingerprint === id)) return
    const labels = labelSetFromObject(value.labels)
    // The source of a resolved alert repeats it for a while, with the same end.
    const at = Math.min(value.updatedAt, value.endsAt)
    for (const one of watched) {
      if (matchesAll(one.expectation.matchers, labels)) saw(one, at)
    }
  }

  /** Another configuration is running. Returns the expectations that it no longer has. */
  const reconfigure = (): readonly Expectation[] => {
    if (config === alerts.config.current) return []
    config = alerts.config.current
    const before = new Map(watched.map((one) => [one.expectation.id, one]))
    watched = config.expect.map((expectation) => ({
      ...(before.get(expectation.id) ?? {
        seenAt: undefined,
        since: undefined,
        lookedAt: undefined,
        nextRecordAt: clock.monotonic(),
        ahead: 0,
      }),
      expectation,
    }))
    const kept = new Set(watched.map(({ expectation }) => expectation.alert.fingerprint))
    // A new view, because the earlier one has shown its alerts to the earlier expectations.
    view =
      watched.length === 0
        ? undefined
        : createView({
            storage,
            clock,
            collection: alertCollection,
            projection: { put: read, remove() {}, clear() {} },
          })
    return [...before.values()]
      .map(({ expectation }) => expectation)
      .filter(({ alert }) => !kept.has(alert.fingerprint))
  }

  const keepRecords = async (): Promise<void> => {
    const due = watched.filter(({ nextRecordAt }) => nextRecordAt <= clock.monotonic())
    if (due.length === 0) return
    const records = await watchCollection.getAll(
      storage,
      due.map(({ expectation }) => expectation.id),
    )
    const now = clock.now()
    const writes = due.flatMap((one, index) => {
      const record = records[index]
      const value = recordAfter(one, record?.value, now)
      if (value === undefined) return []
      return [
        watchCollection.write(one.expectation.id, value, {
          expiresAt: watchExpiry(one.expectation, now),
          if: record?.version ?? 'absent',
        }),
      ]
    })
    try {
      if (writes.length > 0) await storage.commit(writes)
    } catch (error) {
      // Another process wrote one of them. The next check reads them again.
      if (isConflict(error)) return
      throw error
    }
    for (const one of due) one.nextRecordAt = clock.monotonic() + watchEveryMs(one.expectation)
  }

  /** Takes over what the record knows, and returns the record to write; `undefined` if another process wrote it lately. */
  const recordAfter = (
    one: Watched,
    known: WatchRecord | undefined,
    now: Instant,
  ): WatchRecord | undefined => {
    const { expectation } = one
    const monotonic = clock.monotonic()
    const isOurs = one.lookedAt !== undefined && monotonic - one.lookedAt <= breakMs(expectation)
    const isBroken = !isOurs && (known === undefined || wasUnwatched(expectation, known, now))
    if (one.since === undefined) {
      if (known?.seen !== undefined) saw(one, known.seen)
      one.since = monotonic - (isBroken || known === undefined ? 0 : Math.max(0, now - known.since))
    } else if (isBroken) {
      one.since = monotonic
    }
    const age = known === undefined ? Number.POSITIVE_INFINITY : Math.abs(now - known.watched)
    if (age < watchEveryMs(expectation)) return undefined
    const wall = (at: number): Instant => Math.floor(now - (monotonic - at))
    return {
      name: expectation.name,
      since: wall(one.since),
      ...(one.seenAt === undefined ? {} : { seen: wall(one.seenAt) }),
      watched: now,
    }
  }

  const storedAlert = ({ alert }: Expectation): StoredAlert | undefined =>
    board.alerts.stored.get(alert.fingerprint)?.value

  const post = ({ alert }: Expectation, startsAt: Instant, endsAt: Instant): Promise<void> => {
    const { labels, annotations } = alert
    return postDecodedAlerts(alerts, [{ labels, annotations, startsAt, endsAt }])
  }

  const end = async (expectation: Expectation, why: string): Promise<void> => {
    const stored = storedAlert(expectation)
    const now = clock.now()
    if (stored === undefined || isResolved(stored, now)) return
    logger.info({ expected: expectation.name }, why)
    await post(expectation, Math.min(stored.startsAt, now), now)
  }

  const decide = async ({
    expectation,
    seenAt,
    since = clock.monotonic(),
  }: Watched): Promise<void> => {
    const now = clock.now()
    const stored = storedAlert(expectation)
    const isFiring = stored !== undefined && !isResolved(stored, now)
    // A start of the wait does not end the alert, only the return of what is missing does.
    const from = isFiring ? seenAt : Math.max(seenAt ?? since, since)
    const lateMs = from === undefined ? 0 : clock.monotonic() - from - expectation.everyMs
    if (lateMs < 0) return end(expectation, 'expected alerts come again')
    if (!isFiring) {
      logger.warn({ expected: expectation.name }, 'expected alerts are missing')
      await post(expectation, Math.floor(now - lateMs), now + alertLifeMs)
    } else if (stored.endsAt - now <= alertLifeMs - repostMs) {
      await post(expectation, Math.min(stored.startsAt, now), now + alertLifeMs)
    }
  }

  const look = async (): Promise<void> => {
    const dropped = reconfigure()
    if (view === undefined && dropped.length === 0) return
    await Promise.all([view?.refresh(), board.catchUp()])
    for (const expectation of dropped) await end(expectation, 'alerts are no longer expected')
    await keepRecords()
    for (const one of watched) {
      await decide(one)
      one.lookedAt = clock.monotonic()
    }
  }

  const lookUntilDone = async (): Promise<void> => {
    const done = activity.begin()
    cancelTimer()
    while (isWanted && !isStopped) {
      isWanted = false
      try {
        await look()
        isFailing = false
      } catch (error) {
        if (!isFailing) logger.error({ error: String(error) }, 'expected alerts are not watched')
        isFailing = true
      }
    }
    looking = undefined
    if (!isStopped && (view !== undefined || isFailing)) {
      cancelTimer = clock.setTimer(lookEveryMs, lookSoon)
    }
    done()
  }

  const lookSoon = (): void => {
    isWanted = true
    if (!isStopped) looking ??= lookUntilDone()
  }

  const sleepOn = dispatch.onWake(() => {
    if (config !== alerts.config.current) lookSoon()
  })
  lookSoon()

  return {
    async stop() {
      isStopped = true
      sleepOn()
      cancelTimer()
      await looking
    },
  }
}
