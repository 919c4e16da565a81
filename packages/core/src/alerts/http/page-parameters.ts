import { queryNumber } from '../../input/query-number.ts'
import type { AlertGroupsPageQuery } from '../alerts/list-alert-groups-page.ts'
import type { AlertsPageQuery } from '../alerts/list-alerts-page.ts'
import type { AlertSummaryQuery } from '../alerts/summarize-alerts.ts'
import type { AlertsQuery } from '../board/alert-query.ts'
import type { PageQuery } from '../page/page.ts'
import type { SilencesPageQuery } from '../silences/list-silences-page.ts'
import {
  readAlertGroupsParameters,
  readAlertsParameters,
  readSilencesParameters,
  texts,
} from './query.ts'

/** The parameters that all pages have. Several `fields` may be separated by commas. */
function readPageParameters(query: string): PageQuery {
  const parameters = new URLSearchParams(query)
  const { limit, ...rest } = texts(parameters, ['sort', 'after', 'limit'])
  const fields = parameters.getAll('fields').flatMap((names) => names.split(','))
  return {
    ...rest,
    ...(limit === undefined ? {} : { limit: queryNumber(limit) }),
    fields: fields.filter((name) => name !== ''),
  }
}

const readReceiverMatchers = (query: string): Pick<AlertsQuery, 'receiverMatchers'> => ({
  receiverMatchers: new URLSearchParams(query).getAll('receiverMatchers'),
})

/** Parses the query of `GET /gatehouse/v1/alerts`. Unknown parameters are ignored. */
export function readAlertsPageParameters(query: string): AlertsPageQuery {
  const { group } = texts(new URLSearchParams(query), ['group'])
  return {
    ...readAlertsParameters(query),
    ...readReceiverMatchers(query),
    ...readPageParameters(query),
    ...(group === undefined ? {} : { group }),
  }
}

/** Parses the query of `GET /gatehouse/v1/alerts/summary`. Unknown parameters are ignored. */
export function readAlertSummaryParameters(query: string): AlertSummaryQuery {
  const { unprocessed: _, ...parameters } = readAlertsParameters(query)
  return { ...parameters, ...readReceiverMatchers(query) }
}

/** Parses the query of `GET /gatehouse/v1/alert-groups`. Unknown parameters are ignored. */
export const readAlertGroupsPageParameters = (query: string): AlertGroupsPageQuery => ({
  ...readAlertGroupsParameters(query),
  ...readReceiverMatchers(query),
  ...readPageParameters(query),
})

/** Parses the query of `GET /gatehouse/v1/silences`. Unknown parameters are ignored. */
export const readSilencesPageParameters = (query: string): SilencesPageQuery => ({
  ...readSilencesParameters(query),
  ...readPageParameters(query),
})
