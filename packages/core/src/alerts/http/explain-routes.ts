import { decodeInput, exactly } from '../../input/decode.ts'
import { labelsInput } from '../alert/alert-input.ts'
import { listExpectedAlerts } from '../alerts/list-expected-alerts.ts'
import type { AlertsContext } from '../context.ts'
import { explain } from '../running-config/explain.ts'
import { listRoutes } from '../running-config/list-routes.ts'
import { type ConfigPreviewRequest, previewConfig } from '../running-config/preview-config.ts'
import type * as wire from '../wire/types.generated.ts'
import type { FramedRow } from './frame/framed-row.ts'
import { jsonLine } from './json-body.ts'
import { ownRows, requires } from './operation.ts'
import { withOwnBody } from './own-body.ts'

const question = exactly<wire.ExplanationRequest>({ labels: labelsInput })

/** The routes below `/gatehouse/v1` that say what the service does, and why. */
export function explainRows(alerts: AlertsContext): FramedRow[] {
  return [
    ...ownRows(alerts, 'explain', {
      POST: requires('alerts:read', (request) =>
        withOwnBody(alerts, request, 'request', async (body) => {
          const { labels } = decodeInput('request', question, body)
          return jsonLine(await explain(alerts, labels))
        }),
      ),
    }),
    ...ownRows(alerts, 'config-preview', {
      POST: requires('config:read', (request) =>
        withOwnBody(alerts, request, 'request', async (body) =>
          // The operation checks the types of all members.
          jsonLine(await previewConfig(alerts, body as ConfigPreviewRequest)),
        ),
      ),
    }),
    ...ownRows(alerts, 'routes', {
      GET: requires('config:read', async () => jsonLine(await listRoutes(alerts))),
    }),
    ...ownRows(alerts, 'expected-alerts', {
      GET: requires('alerts:read', async () =>
        jsonLine({ items: await listExpectedAlerts(alerts) }),
      ),
    }),
  ]
}
