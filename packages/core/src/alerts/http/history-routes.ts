import { getFiringHistory } from '../alerts/get-firing-history.ts'
import { readAlertHistory } from '../alerts/list-alert-history.ts'
import type { AlertsContext } from '../context.ts'
import { countWanted } from '../notifications/count-notifications.ts'
import { getNotification } from '../notifications/get-notification.ts'
import { readNotifications } from '../notifications/list-notifications.ts'
import { readSilenceHistory } from '../silences/list-silence-history.ts'
import { type Endpoint, type Endpoints, requires } from './endpoint.ts'
import {
  readAlertHistoryParameters,
  readNotificationCountsParameters,
  readNotificationsParameters,
  readSilenceHistoryParameters,
} from './history-parameters.ts'
import { jsonLine } from './json-body.ts'

type HistoryOperation =
  | 'getNotifications'
  | 'getNotification'
  | 'getNotificationCounts'
  | 'getAlertHistory'
  | 'getFiringHistory'
  | 'getSilenceHistory'

/** The history; none if it is not kept. */
export function historyEndpoints(alerts: AlertsContext): Endpoints<HistoryOperation> {
  const isKept = alerts.options.historyRetentionMs > 0
  const kept = (endpoint: Endpoint): Endpoint | undefined => (isKept ? endpoint : undefined)
  const list = (read: (query: string) => Promise<unknown>): Endpoint | undefined =>
    kept(requires('alerts:read', async (_, { query }) => jsonLine(await read(query))))
  return {
    getNotifications: list((query) =>
      readNotifications(alerts, readNotificationsParameters(query)),
    ),
    getNotification: kept(
      requires('alerts:read', async (_, info) => {
        const message = (await alerts.access?.allows(info, 'config:read')) ?? true
        return jsonLine(await getNotification(alerts, info.params.id ?? '', { message }))
      }),
    ),
    getNotificationCounts: list((query) =>
      countWanted(alerts, readNotificationCountsParameters(query)),
    ),
    getAlertHistory: list((query) => readAlertHistory(alerts, readAlertHistoryParameters(query))),
    getFiringHistory: list(() => getFiringHistory(alerts)),
    getSilenceHistory: list((query) =>
      readSilenceHistory(alerts, readSilenceHistoryParameters(query)),
    ),
  }
}
