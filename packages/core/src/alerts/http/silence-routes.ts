import { emptyAnswer } from '../../http/answer.ts'
import { decodeInput, exactly } from '../../input/decode.ts'
import type { AlertsContext } from '../context.ts'
import { createRecurringSilence, type RecurringSilenceInput } from '../create-recurring-silence.ts'
import { deleteRecurringSilence } from '../delete-recurring-silence.ts'
import { extendSilence, type SilenceExtension } from '../extend-silence.ts'
import { listAffectedAlerts } from '../list-affected-alerts.ts'
import { listOccurrences, listRecurringSilences } from '../list-recurring-silences.ts'
import { previewSilence, type SilencePreviewRequest } from '../preview-silence.ts'
import { type TimeIntervalInput, timeIntervalsInput } from '../recurrence/time-interval-input.ts'
import { decodeBody } from './decode-body.ts'
import { jsonLine, withBody } from './json-body.ts'
import { checks, ownRows, requires } from './operation.ts'
import type { GuardedRow } from './request-guard.ts'

const recurrence = exactly<{ timeIntervals: readonly TimeIntervalInput[] }>({
  timeIntervals: timeIntervalsInput,
})

const decodeRecurrence = (value: unknown): ReturnType<typeof recurrence> =>
  decodeInput('request', recurrence, value)

/** The routes of silences below `/gatehouse/v1`. */
export function silenceRows(alerts: AlertsContext): GuardedRow[] {
  return [
    ...ownRows(alerts, 'silence-preview', {
      POST: requires('alerts:read', (request) =>
        withBody(alerts, request, async (text) => {
          // The operation checks the types of all members.
          const given = decodeBody('preview', text, (value) => value as SilencePreviewRequest)
          return jsonLine(await previewSilence(alerts, given))
        }),
      ),
    }),
    ...ownRows(alerts, 'affected-alerts', {
      GET: requires('alerts:read', async (_, { query }) => {
        const id = new URLSearchParams(query).get('silenceID') ?? ''
        return jsonLine(await listAffectedAlerts(alerts, id))
      }),
    }),
    ...ownRows(alerts, 'recurring-silences', {
      GET: requires('alerts:read', async () => jsonLine(await listRecurringSilences(alerts))),
      POST: checks('silences:write', (request, info) =>
        withBody(alerts, request, async (text) => {
          const given = decodeBody('silence', text, (value) => value as RecurringSilenceInput)
          return jsonLine(await createRecurringSilence(alerts, given, info))
        }),
      ),
    }),
    ...ownRows(alerts, 'recurring-silences/:id', {
      DELETE: checks('silences:write', async (_, info) => {
        await deleteRecurringSilence(alerts, info.params.id ?? '', info)
        return emptyAnswer(200)
      }),
    }),
    ...ownRows(alerts, 'recurrence-preview', {
      POST: requires('alerts:read', (request) =>
        withBody(alerts, request, async (text) => {
          const { timeIntervals } = decodeBody('preview', text, decodeRecurrence)
          return jsonLine({ occurrences: await listOccurrences(alerts, timeIntervals) })
        }),
      ),
    }),
    ...ownRows(alerts, 'silence-extensions', {
      POST: checks('silences:write', (request, info) =>
        withBody(alerts, request, async (text) => {
          const given = decodeBody('extension', text, (value) => value as SilenceExtension)
          return jsonLine(await extendSilence(alerts, given, info))
        }),
      ),
    }),
  ]
}
