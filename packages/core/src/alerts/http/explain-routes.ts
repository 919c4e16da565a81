import { listExpectedAlerts } from '../alerts/list-expected-alerts.ts'
import type { AlertsContext } from '../context.ts'
import { explain } from '../running-config/explain.ts'
import { listRoutes } from '../running-config/list-routes.ts'
import { type ConfigPreviewRequest, previewConfig } from '../running-config/preview-config.ts'
import type * as wire from '../wire/types.generated.ts'
import { type Endpoints, requires } from './endpoint.ts'
import { jsonLine } from './json-body.ts'
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

/** What the service does, and why. */
export function explainEndpoints(
  alerts: AlertsContext,
): Endpoints<'postExplain' | 'postConfigPreview' | 'getRoutes' | 'getExpectedAlerts'> {
  return {
    postExplain: requires('alerts:read', (request) =>
      withOwnBody(alerts, request, bodies.question, async (body: wire.ExplanationRequest) =>
        jsonLine(await explain(alerts, body.labels)),
      ),
    ),
    postConfigPreview: requires('config:read', (request) =>
      withOwnBody(alerts, request, bodies.draft, async (body: ConfigPreviewRequest) =>
        jsonLine(await previewConfig(alerts, body)),
      ),
    ),
    getRoutes: requires('config:read', async () => jsonLine(await listRoutes(alerts))),
    getExpectedAlerts: requires('alerts:read', async () =>
      jsonLine({ items: await listExpectedAlerts(alerts) }),
    ),
  }
}
