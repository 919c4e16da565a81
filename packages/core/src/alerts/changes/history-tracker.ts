import { goJson } from '@gatehouse/go-template/json'
import { historyBound } from '../../history/history-id.ts'
import { historyRecords } from '../../history/history-records.ts'
import type { TypedCollection, TypedRecord } from '../../storage/collection.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import { labelSetFromObject } from '../alert/label-set.ts'
import { alertHistoryCollection, toGettableAlertEvent } from '../history/alert-event.ts'
import {
  notificationHistoryCollection,
  toGettableNotification,
} from '../history/notification-record.ts'
import { silenceHistoryCollection, toGettableSilenceEvent } from '../history/silence-event.ts'
import { type AlertsChangeFrame, type ChangeTopic, changeOf } from './topic.ts'

/** Finds new records of one kind of history. Those have no feed, so it reads the newest ones again. */
export interface HistoryTracker {
  /** The records since the last call. The first call only remembers the state. */
  look(now: Instant): Promise<AlertsChangeFrame[]>
  /** The records since an instant; `undefined` if there are too many. */
  since(from: Instant): Promise<AlertsChangeFrame[] | undefined>
}

/** How long after its time a record may be written, by a process whose clock may differ. */
export const lateMs = 10_000
/** The most records that are read at once. */
const maxRecords = 1_000

/** The trackers of all kinds of history. */
export function createHistoryTrackers(
  storage: Storage,
): ReadonlyMap<ChangeTopic, () => HistoryTracker> {
  return new Map<ChangeTopic, () => HistoryTracker>([
    [
      'alert-history',
      () =>
        createHistoryTracker(storage, alertHistoryCollection, (record) =>
          changeOf('alert-history', 'alert-history', {
            id: record.id,
            json: goJson(toGettableAlertEvent(record)),
            subject: labelSetFromObject(record.value.labels),
          }),
        ),
    ],
    [
      'silence-history',
      () =>
        createHistoryTracker(storage, silenceHistoryCollection, (record) =>
          changeOf('silence-history', 'silence-history', {
            id: record.id,
            json: goJson(toGettableSilenceEvent(record)),
          }),
        ),
    ],
    [
      'notifications',
      () =>
        createHistoryTracker(storage, notificationHistoryCollection, (record) =>
          changeOf('notification', 'notifications', {
            id: record.id,
            json: goJson(toGettableNotification(record)),
          }),
        ),
    ],
  ])
}

function createHistoryTracker<T>(
  storage: Storage,
  collection: TypedCollection<T>,
  show: (record: TypedRecord<T>) => AlertsChangeFrame,
): HistoryTracker {
  let known = new Set<string>()
  let isFirst = true
  return {
    async look(now) {
      const wasFirst = isFirst
      const query = { by: 'id', from: historyBound(now - lateMs), order: 'desc' } as const
      const records = await collection.find(storage, { ...query, limit: maxRecords })
      isFirst = false
      const fresh = wasFirst ? [] : records.filter(({ id }) => !known.has(id)).reverse()
      known = new Set(records.map(({ id }) => id))
      return fresh.map(show)
    },

    async since(from) {
      const changes: AlertsChangeFrame[] = []
      const bound = historyBound(from)
      const end = historyBound(Number.MAX_SAFE_INTEGER)
      const records = historyRecords({
        storage,
        collection,
        before: end,
        from: bound,
        rows: (before, limit) => ({
          by: 'id',
          from: bound,
          to: end,
          order: 'desc',
          limit,
          after: { key: before, id: before },
        }),
        firstPage: maxRecords,
        onDamaged: () => {},
      })
      for await (const record of records) {
        if (changes.length === maxRecords) return undefined
        changes.push(show(record))
      }
      return changes.reverse()
    },
  }
}
