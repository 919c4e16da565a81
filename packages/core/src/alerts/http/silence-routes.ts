import { emptyAnswer } from '../../http/answer.ts'
import type { AlertsContext } from '../context.ts'
import {
  createRecurringSilence,
  type RecurringSilenceInput,
} from '../silences/create-recurring-silence.ts'
import { deleteRecurringSilence } from '../silences/delete-recurring-silence.ts'
import { extendSilence, type SilenceExtension } from '../silences/extend-silence.ts'
import { listAffectedAlerts } from '../silences/list-affected-alerts.ts'
import { listOccurrences, listRecurringSilences } from '../silences/list-recurring-silences.ts'
import { previewSilence, type SilencePreviewRequest } from '../silences/preview-silence.ts'
import type * as wire from '../wire/types.generated.ts'
import { checks, type Endpoints, requires } from './endpoint.ts'
import { jsonLine } from './json-body.ts'
import { type OwnBody, withOwnBody } from './own-body.ts'

const bodies = {
  preview: {
    load: async () => (await import('../api/schemas.ts')).silencePreviewRequest,
    argument: 'request',
  },
  recurring: {
    load: async () => (await import('../api/schemas.ts')).postableRecurringSilence,
    argument: 'recurringSilence',
  },
  recurrence: {
    load: async () => (await import('../api/schemas.ts')).recurrencePreviewRequest,
    argument: 'request',
  },
  extension: {
    load: async () => (await import('../api/schemas.ts')).silenceExtension,
    argument: 'extension',
  },
} satisfies Record<string, OwnBody>

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
      withOwnBody(alerts, request, bodies.preview, async (body: SilencePreviewRequest) =>
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
      withOwnBody(alerts, request, bodies.recurring, async (body: RecurringSilenceInput) =>
        jsonLine(await createRecurringSilence(alerts, body, info)),
      ),
    ),
    deleteRecurringSilence: checks('silences:write', async (_, info) => {
      await deleteRecurringSilence(alerts, info.params.id ?? '', info)
      return emptyAnswer(200)
    }),
    postRecurrencePreview: requires('alerts:read', (request) =>
      withOwnBody(
        alerts,
        request,
        bodies.recurrence,
        async ({ timeIntervals }: wire.RecurrencePreviewRequest) =>
          jsonLine({ items: await listOccurrences(alerts, timeIntervals) }),
      ),
    ),
    postSilenceExtensions: checks('silences:write', (request, info) =>
      withOwnBody(alerts, request, bodies.extension, async (body: SilenceExtension) =>
        jsonLine(await extendSilence(alerts, body, info)),
      ),
    ),
  }
}
