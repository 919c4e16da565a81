import { getFiringHistory } from '../alerts/get-firing-history.ts'
import { readAlertHistory } from '../alerts/list-alert-history.ts'
import type { AlertsContext } from '../context.ts'
import { countWanted } from '../notifications/count-notifications.ts'
import { getNotification } from '../notifications/get-notification.ts'
import { readNotifications } from '../notifications/list-notifications.ts'
import { readSilenceHistory } from '../silences/list-silence-history.ts'
import type { FramedRow } from './frame/framed-row.ts'
import {
  readAlertHistoryParameters,
  readNotificationCountsParameters,
  readNotificationsParameters,
  readSilenceHistoryParameters,
} from './history-parameters.ts'
import { jsonLine } from './json-body.ts'
import { type Endpoint, ownRows, requires } from './operation.ts'

/** The routes of the history below `/gatehouse/v1`; none if no history is kept. */
export function historyRows(alerts: AlertsContext): FramedRow[] {
  if (alerts.options.historyRetentionMs === 0) return []
  const list = (read: (query: string) => Promise<unknown>): Endpoint =>
    requires('alerts:read', async (_, { query }) => jsonLine(await read(query)))
  return [
    ...ownRows(alerts, 'notifications', {
      GET: list((query) => readNotifications(alerts, readNotificationsParameters(query))),
    }),
    ...ownRows(alerts, 'notifications/:id', {
      GET: requires('alerts:read', async (_, info) => {
        const message = (await alerts.access?.allows(info, 'config:read')) ?? true
        return jsonLine(await getNotification(alerts, info.params.id ?? '', { message }))
      }),
    }),
    ...ownRows(alerts, 'notification-counts', {
      GET: list((query) => countWanted(alerts, readNotificationCountsParameters(query))),
    }),
    ...ownRows(alerts, 'alert-history', {
      GET: list((query) => readAlertHistory(alerts, readAlertHistoryParameters(query))),
    }),
    ...ownRows(alerts, 'firing-history', { GET: list(() => getFiringHistory(alerts)) }),
    ...ownRows(alerts, 'silence-history', {
      GET: list((query) => readSilenceHistory(alerts, readSilenceHistoryParameters(query))),
    }),
  ]
}
