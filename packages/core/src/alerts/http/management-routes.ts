import {
  type Answer,
  emptyAnswer,
  escapeHtml,
  plainFailure,
  redirect,
  textAnswer,
} from '../../http/answer.ts'
import { cleanPath } from '../../http/clean-path.ts'
import type { RequestInfo, Route, RouteRequest } from '../../http/route.ts'
import type { AlertsContext } from '../context.ts'
import { reloadAlertsConfig } from '../running-config/update-alerts-config.ts'
import { type Endpoint, type Endpoints, type Operation, requires } from './endpoint.ts'
import { foreignPage } from './frame/cors.ts'
import { refuseInText } from './path-rows.ts'

const plainText = { 'content-type': 'text/plain; charset=utf-8' }

async function reload(alerts: AlertsContext): Promise<Answer> {
  try {
    await reloadAlertsConfig(alerts)
    return emptyAnswer(200)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return plainFailure(500, `failed to reload config: ${message}\n`)
  }
}

/** Probes, reloading and metrics. */
export function managementEndpoints(
  alerts: AlertsContext,
): Endpoints<'getAlertsHealth' | 'getAlertsReadiness' | 'reloadAlerts' | 'getAlertsMetrics'> {
  const ok = async (request: RouteRequest): Promise<Answer> =>
    request.method === 'HEAD'
      ? { status: 200, headers: plainText, body: null, byteLength: 0 }
      : textAnswer(200, 'OK', plainText)
  const probe = (operation: Operation): Endpoint => ({
    ...requires('public', operation),
    answersHead: true,
  })
  return {
    getAlertsHealth: probe(ok),
    getAlertsReadiness: probe(async (request) => {
      const problem = await alerts.health.check()
      return problem === undefined ? ok(request) : plainFailure(503, `${problem.message}\n`)
    }),
    // Not part of the API that `allowedOrigins` opens to pages of other origins.
    reloadAlerts: requires('config:reload', async (request) => {
      const refusal = foreignPage(request, alerts.options, [])
      return refusal === undefined ? reload(alerts) : plainFailure(403, `${refusal}\n`)
    }),
    getAlertsMetrics: requires('metrics:read', async (request) => {
      const { contentType, body } = await alerts.metrics.expose(request.headers.get('accept'))
      return textAnswer(200, body, { 'content-type': contentType })
    }),
  }
}

function page(alerts: AlertsContext): string {
  const links = ['api/v2/status', 'api/v2/alerts', '-/healthy', '-/ready', 'metrics']
  const items = links.map((link) => `<li><a href="${link}">${link}</a></li>`).join('\n')
  const version = escapeHtml(alerts.options.versionInfo.version)
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Gatehouse alerts</title>
<h1>Gatehouse alerts</h1>
<p>This server speaks the Alertmanager API, version 2, as release ${version} does.</p>
<ul>
${items}
</ul>
</html>
`
}

/** The cleaned path of a request with its query, as a redirect target. */
export function cleanLocation({ mountPath, path, query }: RequestInfo): string | undefined {
  const clean = cleanPath(path)
  if (clean === path) return undefined
  return `${mountPath}${clean}${query === '' ? '' : `?${query}`}`
}

/** Routes for all paths that no other route took, for a server that serves only this. */
export function fallbackRoutes(alerts: AlertsContext): Route[] {
  const { basePath } = alerts.options
  const html = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
  }
  const route = (method: string, path: string, answer: Operation): Route => ({
    method,
    path,
    action: 'public',
    answer,
  })
  const gettable = (path: string, operation: Operation): Route[] => [
    route('GET', path, operation),
    route('*', path, refuseInText(['GET'])),
  ]
  const all = gettable(`${basePath}/`, async () => textAnswer(200, page(alerts), html))
  if (basePath !== '') {
    const toPrefix: Operation = async ({ method }, { mountPath }) =>
      redirect(302, method, `${mountPath}${basePath}`)
    const toSlash: Operation = async ({ method }, { mountPath }) =>
      redirect(301, method, `${mountPath}${basePath}/`)
    all.push(...gettable('/', toPrefix), route('*', basePath, toSlash))
  }
  const others: Operation = async ({ method }, info) => {
    const location = cleanLocation(info)
    return location === undefined
      ? plainFailure(404, '404 page not found\n')
      : redirect(301, method, location)
  }
  return [...all, route('*', '/*', others)]
}
