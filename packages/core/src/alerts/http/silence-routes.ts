import type { AlertsContext } from '../context.ts'
import { extendSilence, type SilenceExtension } from '../extend-silence.ts'
import { previewSilence, type SilencePreviewRequest } from '../preview-silence.ts'
import { decodeBody } from './decode-body.ts'
import { jsonLine, withBody } from './json-body.ts'
import { checks, ownRows, requires } from './operation.ts'
import type { GuardedRow } from './request-guard.ts'

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
