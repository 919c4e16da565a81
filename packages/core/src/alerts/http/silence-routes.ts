import { emptyAnswer } from '../../http/answer.ts'
import type { AlertsContext } from '../context.ts'
import { createRecurringSilence } from '../silences/create-recurring-silence.ts'
import { deleteRecurringSilence } from '../silences/delete-recurring-silence.ts'
import { extendSilence } from '../silences/extend-silence.ts'
import { listAffectedAlerts } from '../silences/list-affected-alerts.ts'
import { listOccurrences, listRecurringSilences } from '../silences/list-recurring-silences.ts'
import { previewSilence } from '../silences/preview-silence.ts'
import { checks, type Endpoints, requires } from './endpoint.ts'
import { jsonLine } from './json-body.ts'
import { withOwnBody } from './own-body.ts'

type SilenceOperation =
  | 'postSilencePreview'
  | 'getAffectedAlerts'
  | 'getRecurringSilences'
  | 'postRecurringSilences'
  | 'deleteRecurringSilence'
  | 'postRecurrencePreview'
  | 'postSilenceExtensions'

/** Silences, as far as Alertmanager's API does not have it. */
export function silenceEndpoints(alerts: AlertsContext): Endpoints<SilenceOperation> {
  return {
    postSilencePreview: requires('alerts:read', (request) =>
      withOwnBody(alerts, request, { of: 'postSilencePreview' }, async (body) =>
        jsonLine(await previewSilence(alerts, body)),
      ),
    ),
    getAffectedAlerts: requires('alerts:read', async (_, { query }) => {
      const id = new URLSearchParams(query).get('silenceId') ?? ''
      return jsonLine(await listAffectedAlerts(alerts, id))
    }),
    getRecurringSilences: requires('alerts:read', async () =>
      jsonLine({ items: await listRecurringSilences(alerts) }),
    ),
    postRecurringSilences: checks('silences:write', (request, info) =>
      withOwnBody(
        alerts,
        request,
        { of: 'postRecurringSilences', argument: 'recurringSilence' },
        async (body) => jsonLine(await createRecurringSilence(alerts, body, info)),
      ),
    ),
    deleteRecurringSilence: checks('silences:write', async (_, info) => {
      await deleteRecurringSilence(alerts, info.params.id ?? '', info)
      return emptyAnswer(200)
    }),
    postRecurrencePreview: requires('alerts:read', (request) =>
      withOwnBody(alerts, request, { of: 'postRecurrencePreview' }, async ({ timeIntervals }) =>
        jsonLine({ items: await listOccurrences(alerts, timeIntervals) }),
      ),
    ),
    postSilenceExtensions: checks('silences:write', (request, info) =>
      withOwnBody(
        alerts,
        request,
        { of: 'postSilenceExtensions', argument: 'extension' },
        async (body) => jsonLine(await extendSilence(alerts, body, info)),
      ),
    ),
  }
}
