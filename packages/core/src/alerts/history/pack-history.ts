import type { HistoryContext } from '../../history/history-context.ts'
import { packHistories } from '../../history/pack-histories.ts'
import type { TypedCollection } from '../../storage/collection.ts'
import { alertHistoryCollection } from './alert-event.ts'
import { notificationHistoryCollection } from './notification-record.ts'
import { silenceHistoryCollection } from './silence-event.ts'

const histories = [
  notificationHistoryCollection,
  alertHistoryCollection,
  silenceHistoryCollection,
] as readonly unknown[] as readonly TypedCollection<unknown>[]

/** Packs the history of alerts, silences and notifications. `isStopped` ends it early. */
export const packHistory = (alerts: HistoryContext, isStopped?: () => boolean): Promise<void> =>
  packHistories(alerts, { histories, ...(isStopped === undefined ? {} : { isStopped }) })
