import { isGatehouseError } from '../../errors.ts'
import {
  type DecodedHistoryQuery,
  invalidHistoryQuery,
  wordsOf,
} from '../../history/history-query.ts'
import { queryNumber } from '../../input/query-number.ts'
import type { Instant } from '../../time/clock.ts'
import { parseDateTime } from '../../time/date-time.ts'
import type { DecodedAlertHistoryQuery } from '../alerts/list-alert-history.ts'
import { alertEventKinds } from '../history/alert-event.ts'
import { notificationOutcomes } from '../history/notification-record.ts'
import { silenceEventKinds } from '../history/silence-event.ts'
import type { DecodedNotificationCountsQuery } from '../notifications/count-notifications.ts'
import type { DecodedNotificationsQuery } from '../notifications/list-notifications.ts'
import type { DecodedSilenceHistoryQuery } from '../silences/list-silence-history.ts'

/** The last value of a parameter; an empty one counts as missing. */
const one = (parameters: URLSearchParams, name: string): string | undefined =>
  parameters.getAll(name).at(-1) || undefined

/** All values of a repeated parameter. */
const all = (parameters: URLSearchParams, name: string): readonly string[] =>
  parameters.getAll(name).filter((text) => text !== '')

function instant(parameters: URLSearchParams, name: string): Instant | undefined {
  const text = one(parameters, name)
  if (text === undefined) return undefined
  try {
    const at = parseDateTime(text)?.at
    if (at !== undefined) return at
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    throw invalidHistoryQuery(`${name} is not an RFC 3339 time: ${error.message}`, error)
  }
  throw invalidHistoryQuery(`${name} is not a valid time`)
}

function count(parameters: URLSearchParams, name: string): number | undefined {
  const text = one(parameters, name)
  return text === undefined ? undefined : queryNumber(text)
}

const common = (parameters: URLSearchParams): DecodedHistoryQuery => ({
  from: instant(parameters, 'from'),
  to: instant(parameters, 'to'),
  limit: count(parameters, 'limit'),
  after: one(parameters, 'after'),
})

/** Parses the query of `GET /notifications`. Unknown parameters are ignored. @throws {GatehouseError} `InvalidHistoryQuery` */
export function readNotificationsParameters(query: string): DecodedNotificationsQuery {
  const parameters = new URLSearchParams(query)
  return {
    ...common(parameters),
    receiver: one(parameters, 'receiver'),
    groupKey: one(parameters, 'groupKey'),
    integration: one(parameters, 'integration'),
    fingerprint: one(parameters, 'fingerprint'),
    filter: parameters.getAll('filter'),
    outcome: [...wordsOf('outcome', all(parameters, 'outcome'), notificationOutcomes)],
  }
}

/**
 * Parses the query of `GET /notification-counts`. Unknown parameters are ignored.
 *
 * @throws {GatehouseError} `InvalidHistoryQuery`
 */
export function readNotificationCountsParameters(query: string): DecodedNotificationCountsQuery {
  const parameters = new URLSearchParams(query)
  return {
    from: instant(parameters, 'from'),
    to: instant(parameters, 'to'),
    parts: count(parameters, 'parts'),
    receiver: one(parameters, 'receiver'),
    filter: parameters.getAll('filter'),
  }
}

/** Parses the query of `GET /alert-history`. @throws {GatehouseError} `InvalidHistoryQuery` */
export function readAlertHistoryParameters(query: string): DecodedAlertHistoryQuery {
  const parameters = new URLSearchParams(query)
  return {
    ...common(parameters),
    fingerprint: one(parameters, 'fingerprint'),
    filter: parameters.getAll('filter'),
    event: [...wordsOf('event', all(parameters, 'event'), alertEventKinds)],
  }
}

/** Parses the query of `GET /silence-history`. @throws {GatehouseError} `InvalidHistoryQuery` */
export function readSilenceHistoryParameters(query: string): DecodedSilenceHistoryQuery {
  const parameters = new URLSearchParams(query)
  return {
    ...common(parameters),
    silenceId: one(parameters, 'silenceId'),
    filter: parameters.getAll('filter'),
    event: [...wordsOf('event', all(parameters, 'event'), silenceEventKinds)],
  }
}
