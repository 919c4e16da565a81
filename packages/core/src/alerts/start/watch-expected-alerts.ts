import type { Running } from '../../async/running.ts'
import type { TypedRecord } from '../../storage/collection.ts'
import { isConflict, type Write } from '../../storage/storage.ts'
import { createView, type View } from '../../storage/view.ts'
import type { Clock } from '../../time/clock.ts'
import { alertCollection, type StoredAlert } from '../alert/alert.ts'
import { labelSetFromObject } from '../alert/label-set.ts'
import { postDecodedAlerts } from '../alerts/post-alerts.ts'
import type { AlertsConfig } from '../config/config.ts'
import type { AlertsContext } from '../context.ts'
import type { Activity } from '../dispatch/pace/activity.ts'
import { createLooks } from '../dispatch/pace/looks.ts'
import type { Expectation } from '../expect/expectation.ts'
import { watchCollection, watchEveryMs, watchExpiry } from '../expect/watch-record.ts'
import {
  actionOn,
  type ExpectedAction,
  endOf,
  joined,
  newlyWatched,
  type Present,
  recordOf,
  sawAt,
  type Watched,
} from '../expect/watched.ts'
import { matchesAll } from '../matcher/matcher.ts'

/** How often it looks, and how soon it tries again what failed. */
const lookEveryMs = 1_000

/**
 * Watches the expected alerts of the running configuration until it is stopped: posts an alert of its own while they are missing,
 * and ends it when they come again. Every process does this; the alert is the same, so receivers are notified once. Does nothing
 * while the configuration expects none.
 */
export function watchExpectedAlerts(alerts: AlertsContext, activity: Activity): Running {
  const { clock, board, logger, dispatch } = alerts
  const watch: Watch = { config: undefined, watched: [], view: undefined }
  let isFailing = false

  const look = async (): Promise<void> => {
    const dropped = reconfigure(alerts, watch)
    if (watch.view !== undefined || dropped.length > 0) {
      await Promise.all([watch.view?.refresh(), board.catchUp()])
      for (const expectation of dropped) {
        const action = endOf(storedAlert(alerts, expectation), clock.now())
        await perform(alerts, expectation, action, 'alerts are no longer expected')
      }
      await keepRecords(alerts, watch)
      for (const [index, one] of watch.watched.entries()) {
        const { expectation } = one
        const action = actionOn(one, storedAlert(alerts, expectation), presentOf(clock))
        await perform(alerts, expectation, action, 'expected alerts come again')
        watch.watched[index] = { ...one, lookedAt: clock.monotonic() }
      }
    }
    isFailing = false
  }

  const looks = createLooks({
    clock,
    activity,
    look,
    onError(error) {
      if (!isFailing) logger.error({ error: String(error) }, 'expected alerts are not watched')
      isFailing = true
    },
    restMs: (hasFailed) => (watch.view !== undefined || hasFailed ? lookEveryMs : undefined),
  })

  const sleepOn = dispatch.onWake(() => {
    if (watch.config !== alerts.config.current) looks.wake()
  })
  looks.wake()

  return {
    stop() {
      sleepOn()
      return looks.stop()
    },
  }
}

/** The expectations of the configuration that was running at the last look. */
interface Watch {
  config: AlertsConfig | undefined
  watched: Watched[]
  /** Reads the alerts; `undefined` while none is expected. */
  view: View | undefined
}

const presentOf = (clock: Clock): Present => ({ monotonic: clock.monotonic(), now: clock.now() })

const storedAlert = ({ board }: AlertsContext, { alert }: Expectation): StoredAlert | undefined =>
  board.alerts.stored.get(alert.fingerprint)?.value

/** Takes over the running configuration. Returns the expectations that it no longer has. */
function reconfigure(alerts: AlertsContext, watch: Watch): readonly Expectation[] {
  const { storage, clock, config } = alerts
  if (watch.config === config.current) return []
  watch.config = config.current
  const before = new Map(watch.watched.map((one) => [one.expectation.id, one]))
  watch.watched = watch.config.expect.map((expectation) => ({
    ...(before.get(expectation.id) ?? newlyWatched(expectation, presentOf(clock))),
    expectation,
  }))
  // A new view, because the earlier one has shown its alerts to the earlier expectations.
  const projection = { put: readerOf(watch, clock), remove() {}, clear() {} }
  watch.view =
    watch.watched.length === 0
      ? undefined
      : createView({ storage, clock, collection: alertCollection, projection })
  const kept = new Set(watch.watched.map(({ expectation }) => expectation.alert.fingerprint))
  return Array.from(before.values(), ({ expectation }) => expectation).filter(
    ({ alert }) => !kept.has(alert.fingerprint),
  )
}

/** Reads an alert: those that an expectation posts do not count. */
const readerOf =
  (watch: Watch, clock: Clock) =>
  ({ id, value }: TypedRecord<StoredAlert>): void => {
    if (watch.watched.some(({ expectation }) => expectation.alert.fingerprint === id)) return
    const labels = labelSetFromObject(value.labels)
    // The source of a resolved alert repeats it for a while, with the same end.
    const at = Math.min(value.updatedAt, value.endsAt)
    for (const [index, one] of watch.watched.entries()) {
      if (!matchesAll(one.expectation.matchers, labels)) continue
      watch.watched[index] = sawAt(one, at, presentOf(clock))
    }
  }

/** Reads the records that are due, and writes those that no other process wrote lately. */
async function keepRecords({ storage, clock }: AlertsContext, watch: Watch): Promise<void> {
  const isDue = ({ nextRecordAt }: Watched): boolean => nextRecordAt <= clock.monotonic()
  const ids = watch.watched.filter(isDue).map(({ expectation }) => expectation.id)
  if (ids.length === 0) return
  const found = await watchCollection.getAll(storage, ids)
  const records = new Map(ids.map((id, index) => [id, found[index]]))
  const present = presentOf(clock)
  const writes: Write[] = []
  watch.watched = watch.watched.map((before) => {
    const { expectation } = before
    const { id } = expectation
    if (!records.has(id)) return before
    const record = records.get(id)
    const one = joined(before, record?.value, present)
    const value = recordOf(one, record?.value, present)
    if (value !== undefined) {
      const expiresAt = watchExpiry(expectation, present.now)
      const version = record?.version ?? 'absent'
      writes.push(watchCollection.write(id, value, { expiresAt, if: version }))
    }
    return one
  })
  try {
    if (writes.length > 0) await storage.commit(writes)
  } catch (error) {
    // Another process wrote one of them. The next check reads them again.
    if (isConflict(error)) return
    throw error
  }
  const now = clock.monotonic()
  watch.watched = watch.watched.map((one) =>
    records.has(one.expectation.id)
      ? { ...one, nextRecordAt: now + watchEveryMs(one.expectation) }
      : one,
  )
}

async function perform(
  alerts: AlertsContext,
  { name, alert }: Expectation,
  action: ExpectedAction,
  whyEnded: string,
): Promise<void> {
  if (action.type === 'nothing') return
  const { logger } = alerts
  if (action.type === 'end') logger.info({ expected: name }, whyEnded)
  else if (action.isNew) logger.warn({ expected: name }, 'expected alerts are missing')
  const { labels, annotations } = alert
  const { startsAt, endsAt } = action
  await postDecodedAlerts(alerts, [{ labels, annotations, startsAt, endsAt }])
}
