import type { MetricsRegistry, Route } from '@gatehouse/core'
import { type Answer, type Authorize, ownApiRoutes, textAnswer } from '@gatehouse/core/adapter'
import type { Service } from '../service.ts'

/** Options of {@link ownRoutes}. */
export interface OwnRoutesOptions {
  readonly services: readonly Service[]
  /** Served at `GET /metrics` (default: not served). */
  readonly metrics?: MetricsRegistry | undefined
  /** Decides who may do what (default: any sender may do everything). */
  readonly authorize?: Authorize | undefined
}

/** Routes of the server that work for any services. A service's own routes come first. */
export function ownRoutes({ services, metrics, authorize }: OwnRoutesOptions): readonly Route[] {
  const [first] = services
  return [
    ...(metrics === undefined ? [] : [metricsRoute(metrics, authorize)]),
    ...(first === undefined
      ? []
      : ownApiRoutes({ whoAmI: first.whoAmI, isGuarded: authorize !== undefined })),
  ]
}

const metricsRoute = (metrics: MetricsRegistry, authorize: Authorize | undefined): Route => ({
  method: 'GET',
  path: '/metrics',
  isCompressible: true,
  action: 'metrics:read',
  async answer(request, { subject }) {
    if (authorize !== undefined && !(await authorize(subject, 'metrics:read', undefined))) {
      return subject === undefined ? unauthorized() : textAnswer(403, 'Forbidden\n', {})
    }
    const { contentType, body } = await metrics.expose(request.headers.get('accept'))
    return textAnswer(200, body, { 'content-type': contentType })
  },
})

/** Where no service and no console has a page: the description of what is served. */
export const homeRoute: Route = {
  method: 'GET',
  path: '/',
  action: 'public',
  answer: async () => textAnswer(302, '', { location: 'openapi.json' }),
}

const unauthorized = (): Answer =>
  textAnswer(401, 'Unauthorized\n', { 'www-authenticate': 'Bearer' })
