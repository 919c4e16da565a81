import { goJson } from '../../go/json.ts'
import { type Answer, textAnswer } from '../../http/answer.ts'
import type { AlertsContext } from '../context.ts'
import { readAlertHistory } from '../list-alert-history.ts'
import { readNotifications } from '../list-notifications.ts'
import { readSilenceHistory } from '../list-silence-history.ts'
import { corsHeaders, preflightAnswer } from './cors.ts'
import { errorAnswer, frameworkFailure } from './error-response.ts'
import {
  readAlertHistoryParameters,
  readNotificationsParameters,
  readSilenceHistoryParameters,
} from './history-parameters.ts'
import type { GuardedRow } from './request-guard.ts'

const json = { 'content-type': 'application/json' }
const noStore = { 'cache-control': 'no-store' }

/** The routes of the history below `/gatehouse/v1`; none if no history is kept. */
export function historyRows(alerts: AlertsContext): GuardedRow[] {
  if (alerts.options.historyRetentionMs === 0) return []
  return [
    ...listRows(alerts, 'notifications', (query) =>
      readNotifications(alerts, readNotificationsParameters(query)),
    ),
    ...listRows(alerts, 'alert-history', (query) =>
      readAlertHistory(alerts, readAlertHistoryParameters(query)),
    ),
    ...listRows(alerts, 'silence-history', (query) =>
      readSilenceHistory(alerts, readSilenceHistoryParameters(query)),
    ),
  ]
}

function listRows(
  { options, logger }: AlertsContext,
  name: string,
  list: (query: string) => Promise<unknown>,
): GuardedRow[] {
  const handler = `/gatehouse/v1/${name}`
  const path = `${options.routePrefix}${handler}`
  const get: GuardedRow['answer'] = async (request, info) => {
    let answer: Answer
    try {
      answer = textAnswer(200, `${goJson(await list(info.query))}\n`, json)
    } catch (error) {
      answer = errorAnswer(error)
      if (answer.status >= 500) logger.error({ err: error, path: info.path }, 'a request failed')
    }
    return {
      ...answer,
      headers: { ...corsHeaders(request, options), ...noStore, ...answer.headers },
    }
  }
  const others: GuardedRow['answer'] = async (request) => {
    const message = `method ${request.method} is not allowed, but [GET] are`
    const answer =
      preflightAnswer(request, options) ?? frameworkFailure(405, message, { allow: 'GET' })
    return {
      ...answer,
      headers: { ...corsHeaders(request, options), ...noStore, ...answer.headers },
    }
  }
  return [
    { method: 'GET', path, handler, answer: get },
    { method: '*', path, handler, answer: others },
  ]
}
