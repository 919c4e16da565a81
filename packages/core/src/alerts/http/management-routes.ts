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
import { foreignPage } from './frame/cors.ts'
import type { FramedRow } from './frame/framed-row.ts'
import { answering, type Endpoint, type Operation, requires } from './operation.ts'

const plainText = { 'content-type': 'text/plain; charset=utf-8' }

/** An operation, and where it is. */
interface Placed extends Endpoint, Pick<Route, 'method' | 'path'> {}

/** The operations of one path: its own methods, and the response to every other method. */
function methodsOf(path: string, operations: Readonly<Record<string, Endpoint>>): Placed[] {
  const allow = [...Object.keys(operations), 'OPTIONS'].sort().join(', ')
  const others = async ({ method }: RouteRequest): Promise<Answer> =>
    method === 'OPTIONS'
      ? emptyAnswer(200, { allow })
      : plainFailure(405, 'Method Not Allowed\n', { allow })
  const all = [...Object.entries(operations), ['*', requires('public', others)] as const]
  return all.map(([method, endpoint]) => ({ ...endpoint, method, path }))
}

async function reload(alerts: AlertsContext): Promise<Answer> {
  try {
    await reloadAlertsConfig(alerts)
    return emptyAnswer(200)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return plainFailure(500, `failed to reload config: ${message}\n`)
  }
}

/**
 * The rows of `/-/healthy`, `/-/ready`, `/-/reload` and `/metrics`. However busy the process is, they answer: a probe that gets a 503
 * would end it.
 */
export function managementRows(alerts: AlertsContext): FramedRow[] {
  const { basePath } = alerts.options
  const ok = async (request: RouteRequest): Promise<Answer> =>
    request.method === 'HEAD'
      ? { status: 200, headers: plainText, body: null, byteLength: 0 }
      : textAnswer(200, 'OK', plainText)
  const ready = async (request: RouteRequest): Promise<Answer> => {
    const problem = await alerts.health.check()
    return problem === undefined ? ok(request) : plainFailure(503, `${problem.message}\n`)
  }
  // Not part of the API that `allowedOrigins` opens to pages of other origins.
  const reloading = async (request: RouteRequest): Promise<Answer> => {
    const refusal = foreignPage(request, alerts.options, [])
    return refusal === undefined ? reload(alerts) : plainFailure(403, `${refusal}\n`)
  }
  const metrics = async (request: RouteRequest): Promise<Answer> => {
    const { contentType, body } = await alerts.metrics.expose(request.headers.get('accept'))
    return textAnswer(200, body, { 'content-type': contentType })
  }
  const alive = { GET: requires('public', ok), HEAD: requires('public', ok) }
  const readiness = { GET: requires('public', ready), HEAD: requires('public', ready) }
  const paths = {
    '/-/healthy': alive,
    '/-/ready': readiness,
    '/-/reload': { POST: requires('config:reload', reloading) },
    '/metrics': { GET: requires('metrics:read', metrics) },
  }
  return Object.entries(paths).flatMap(([handler, operations]) =>
    methodsOf(`${basePath}${handler}`, operations).map(({ operation, ...row }): FramedRow => {
      return { ...row, handler, kind: 'plain', isUnlimited: true, answer: answering(operation) }
    }),
  )
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
  const home = async (): Promise<Answer> => textAnswer(200, page(alerts), html)
  const all = methodsOf(`${basePath}/`, { GET: requires('public', home) })
  if (basePath !== '') {
    const toPrefix: Operation = async ({ method }, { mountPath }) =>
      redirect(302, method, `${mountPath}${basePath}`)
    const toSlash: Operation = async ({ method }, { mountPath }) =>
      redirect(301, method, `${mountPath}${basePath}/`)
    all.push(...methodsOf('/', { GET: requires('public', toPrefix) }))
    all.push({ ...requires('public', toSlash), method: '*', path: basePath })
  }
  const others: Operation = async ({ method }, info) => {
    const location = cleanLocation(info)
    return location === undefined
      ? plainFailure(404, '404 page not found\n')
      : redirect(301, method, location)
  }
  all.push({ ...requires('public', others), method: '*', path: '/*' })
  return all.map(({ operation, ...route }) => ({ ...route, answer: operation }))
}
