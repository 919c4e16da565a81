import { goJson } from '@gatehouse/go-template/json'
import { listAlertGroupsPage } from '../alerts/list-alert-groups-page.ts'
import { listAlertsPage } from '../alerts/list-alerts-page.ts'
import { summarizeAlerts } from '../alerts/summarize-alerts.ts'
import type { KeptLists } from '../board/kept-lists.ts'
import type { AlertsContext } from '../context.ts'
import { listSilencesPage } from '../silences/list-silences-page.ts'
import { type Endpoint, type Endpoints, requires } from './endpoint.ts'
import { taggedAnswer } from './json-body.ts'
import {
  readAlertGroupsPageParameters,
  readAlertSummaryParameters,
  readAlertsPageParameters,
  readSilencesPageParameters,
} from './page-parameters.ts'

/** Lists that are read page by page, and what they have in numbers. */
export function pageEndpoints(
  alerts: AlertsContext,
): Endpoints<'getAlertsPage' | 'getAlertsSummary' | 'getAlertGroupsPage' | 'getSilencesPage'> {
  const { board } = alerts
  /** Equal questions share a page while nothing has changed, and no longer than a period in ms. */
  const list = <Query>(
    lists: KeptLists,
    read: (query: string) => Query,
    page: (alerts: AlertsContext, query: Query) => Promise<unknown>,
    period = Number.POSITIVE_INFINITY,
  ): Endpoint =>
    requires('alerts:read', async (request, info) => {
      const query = read(info.query)
      const now = await board.refresh()
      const question = [page.name, query, Math.floor(now / period)]
      const bytes = await lists.get(question, now, async () => ({
        bytes: new TextEncoder().encode(`${goJson(await page(alerts, query))}\n`),
      }))
      return taggedAnswer(request, bytes)
    })
  return {
    getAlertsPage: list(board.alertLists, readAlertsPageParameters, listAlertsPage),
    getAlertsSummary: list(board.alertLists, readAlertSummaryParameters, summarizeAlerts, 60_000),
    getAlertGroupsPage: list(board.alertLists, readAlertGroupsPageParameters, listAlertGroupsPage),
    // Each silence says how many alerts it matches, so the list changes with them.
    getSilencesPage: list(board.alertLists, readSilencesPageParameters, listSilencesPage),
  }
}
