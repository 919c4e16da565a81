import { goJson } from '@gatehouse/go-template/json'
import type { Answer } from '../../http/answer.ts'
import { etagOf, hasTag } from '../../http/etag.ts'
import type { RouteRequest } from '../../http/route.ts'
import { listAlertGroupsPage } from '../alerts/list-alert-groups-page.ts'
import { listAlertsPage } from '../alerts/list-alerts-page.ts'
import { summarizeAlerts } from '../alerts/summarize-alerts.ts'
import type { KeptLists, ListBytes } from '../board/kept-lists.ts'
import type { AlertsContext } from '../context.ts'
import { listSilencesPage } from '../silences/list-silences-page.ts'
import { type Endpoint, type Endpoints, requires } from './endpoint.ts'
import { jsonAnswer } from './json-body.ts'
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

/** The body with its tag, or 304 if the client has it. Clients may keep it, but must ask each time. */
function taggedAnswer({ headers }: RouteRequest, bytes: ListBytes): Answer {
  const etag = etagOf(bytes)
  const own = { etag, 'cache-control': 'private, no-cache' }
  if (hasTag(headers.get('if-none-match'), etag)) {
    return { status: 304, headers: own, body: null, byteLength: 0 }
  }
  const answer = jsonAnswer(bytes)
  return { ...answer, headers: { ...answer.headers, ...own } }
}
