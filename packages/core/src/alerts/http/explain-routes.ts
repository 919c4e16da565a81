import { listExpectedAlerts } from '../alerts/list-expected-alerts.ts'
import type { AlertsContext } from '../context.ts'
import { explain } from '../running-config/explain.ts'
import { listRoutes } from '../running-config/list-routes.ts'
import { type ConfigPreviewRequest, previewConfig } from '../running-config/preview-config.ts'
import type * as wire from '../wire/types.generated.ts'
import type { FramedRow } from './frame/framed-row.ts'
import { jsonLine } from './json-body.ts'
import { ownRows, requires } from './operation.ts'
import { type OwnBody, withOwnBody } from './own-body.ts'

const bodies = {
  question: {
    load: async () => (await import('../api/schemas.ts')).explanationRequest,
    argument: 'request',
  },
  draft: {
    load: async () => (await import('../api/schemas.ts')).configPreviewRequest,
    argument: 'request',
  },
} satisfies Record<string, OwnBody>

/** The routes below `/gatehouse/v1` that say what the service does, and why. */
export function explainRows(alerts: AlertsContext): FramedRow[] {
  return [
    ...ownRows(alerts, 'explain', {
      POST: requires('alerts:read', (request) =>
        withOwnBody(alerts, request, bodies.question, async (body: wire.ExplanationRequest) =>
          jsonLine(await explain(alerts, body.labels)),
        ),
      ),
    }),
    ...ownRows(alerts, 'config-preview', {
      POST: requires('config:read', (request) =>
        withOwnBody(alerts, request, bodies.draft, async (body: ConfigPreviewRequest) =>
          jsonLine(await previewConfig(alerts, body)),
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
