import type { MetricsRegistry, Route } from '@gatehouse/core'
import { type Answer, type Authorize, textAnswer } from '@gatehouse/core/adapter'
import type { Service } from '../service.ts'

/** Options of {@link ownRoutes}. */
export interface OwnRoutesOptions {
  readonly services: readonly Service[]
  /** Served at `GET /metrics` (default: not served). */
  readonly metrics?: MetricsRegistry | undefined
  /** Decides who may do what (default: everybody may do everything). */
  readonly authorize?: Authorize | undefined
}

/** Routes of the server that work for any services. A service's own routes come first. */
export function ownRoutes({ services, metrics, authorize }: OwnRoutesOptions): readonly Route[] {
  const [first] = services
  return [
    ...(metrics === undefined ? [] : [metricsRoute(metrics, authorize)]),
    ...(first === undefined ? [] : [meRoute(first, authorize !== undefined)]),
  ]
}

const metricsRoute = (metrics: MetricsRegistry, authorize: Authorize | undefined): Route => ({
  method: 'GET',
  path: '/metrics',
  action: 'metrics:read',
  async answer(request, { subject }) {
    if (authorize !== undefined && !(await authorize(subject, 'metrics:read', undefined))) {
      return subject === undefined ? unauthorized() : textAnswer(403, 'Forbidden\n', {})
    }
    const { contentType, body } = await metrics.expose(request.headers.get('accept'))
    return textAnswer(200, body, { 'content-type': contentType })
  },
})

/** The route that tells senders who they are and what they may do. Every service gives the same answer, so the first one gives it. */
const meRoute = ({ whoAmI }: Service, isGuarded: boolean): Route => ({
  method: 'GET',
  path: '/gatehouse/v1/me',
  action: 'public',
  async answer(_request, info) {
    // A browser asks for a password only after a refusal.
    const mustSignIn = new URLSearchParams(info.query).get('sign_in') === 'true'
    if (mustSignIn && isGuarded && info.subject === undefined) return unauthorized()
    return textAnswer(200, `${JSON.stringify(await whoAmI(info))}\n`, {
      'content-type': 'application/json',
    })
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
