import { listExpectedAlerts } from '../alerts/list-expected-alerts.ts'
import type { AlertsContext } from '../context.ts'
import { explain } from '../running-config/explain.ts'
import { listRoutes } from '../running-config/list-routes.ts'
import { previewConfig } from '../running-config/preview-config.ts'
import { type Endpoints, requires } from './endpoint.ts'
import { jsonLine } from './json-body.ts'
import { withOwnBody } from './own-body.ts'

/** What the service does, and why. */
export function explainEndpoints(
  alerts: AlertsContext,
): Endpoints<'postExplain' | 'postConfigPreview' | 'getRoutes' | 'getExpectedAlerts'> {
  return {
    postExplain: requires('alerts:read', (request) =>
      withOwnBody(alerts, request, { of: 'postExplain' }, async (body) =>
        jsonLine(await explain(alerts, body.labels)),
      ),
    ),
    postConfigPreview: requires('config:read', (request) =>
      withOwnBody(alerts, request, { of: 'postConfigPreview' }, async (body) =>
        jsonLine(await previewConfig(alerts, body)),
      ),
    ),
    getRoutes: requires('config:read', async () => jsonLine(await listRoutes(alerts))),
    getExpectedAlerts: requires('alerts:read', async () =>
      jsonLine({ items: await listExpectedAlerts(alerts) }),
    ),
  }
}
