import { rightsLastMs } from '../../changes/change-hub.ts'
import { eventStreamType, streamedAnswer } from '../../http/event-stream.ts'
import { changeTopics } from '../changes/topic.ts'
import type { AlertsContext } from '../context.ts'
import { invalidChangesQuery } from '../errors.ts'
import { type ChangesQuery, openChanges } from '../watch-changes.ts'
import { type Endpoints, requires } from './endpoint.ts'

/** The stream of changes. */
export function changeEndpoints(alerts: AlertsContext): Endpoints<'getAlertsChanges'> {
  return {
    getAlertsChanges: requires('alerts:read', async ({ headers }, { query }) => {
      const position = headers.get('last-event-id') ?? undefined
      const maxAgeMs = alerts.access === undefined ? undefined : rightsLastMs
      const asked = readChangesParameters(query, position)
      const stream = await openChanges(alerts, asked, maxAgeMs)
      return streamedAnswer(eventStreamType, stream)
    }),
  }
}

/**
 * Parses the query of `GET /changes`. Unknown parameters are ignored. The header of a client that connects again counts more than
 * the parameter, which stays the same.
 */
function readChangesParameters(query: string, position: string | undefined): ChangesQuery {
  const parameters = new URLSearchParams(query)
  const given = parameters.getAll('types').flatMap((text) => text.split(','))
  const types = given
    .filter((text) => text !== '')
    .map((text) => {
      const topic = changeTopics.find((one) => one === text)
      if (topic !== undefined) return topic
      const shown = JSON.stringify(text.slice(0, 100))
      throw invalidChangesQuery(`types must be of ${changeTopics.join(', ')}, got ${shown}`)
    })
  return {
    types,
    filter: parameters.getAll('filter'),
    since: position || parameters.getAll('since').at(-1) || undefined,
  }
}
