import { decodeInput, exactly } from '../../input/decode.ts'
import type { Labels } from '../alert/alert.ts'
import { labelsInput } from '../alert/alert-input.ts'
import type { AlertsContext } from '../context.ts'
import { explain } from '../explain.ts'
import { listExpectedAlerts } from '../list-expected-alerts.ts'
import { listRoutes } from '../list-routes.ts'
import { type ConfigPreviewRequest, previewConfig } from '../preview-config.ts'
import { decodeBody } from './decode-body.ts'
import { jsonLine, withBody } from './json-body.ts'
import { ownRows, requires } from './operation.ts'
import type { GuardedRow } from './request-guard.ts'

const question = exactly<{ labels: Labels }>({ labels: labelsInput })

const decodeQuestion = (value: unknown): { labels: Labels } =>
  decodeInput('request', question, value)

/** The routes below `/gatehouse/v1` that say what the service does, and why. */
export function explainRows(alerts: AlertsContext): GuardedRow[] {
  return [
    ...ownRows(alerts, 'explain', {
      POST: requires('alerts:read', (request) =>
        withBody(alerts, request, async (text) => {
          const { labels } = decodeBody('question', text, decodeQuestion)
          return jsonLine(await explain(alerts, labels))
        }),
      ),
    }),
    ...ownRows(alerts, 'config-preview', {
      POST: requires('config:read', (request) =>
        withBody(alerts, request, async (text) => {
          // The operation checks the types of all members.
          const given = decodeBody('preview', text, (value) => value as ConfigPreviewRequest)
          return jsonLine(await previewConfig(alerts, given))
        }),
      ),
    }),
    ...ownRows(alerts, 'routes', {
      GET: requires('config:read', async () => jsonLine(await listRoutes(alerts))),
    }),
    ...ownRows(alerts, 'expected-alerts', {
      GET: requires('alerts:read', async () => jsonLine(await listExpectedAlerts(alerts))),
    }),
  ]
}
