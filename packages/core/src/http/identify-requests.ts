import type { Subject } from '../authorization/authorize.ts'
import type { Answer } from './answer.ts'
import { mayPromptForPassword } from './password-prompt.ts'
import type { RequestInfo, Route, RouteRequest } from './route.ts'

/** Options of {@link identifyRequests}. */
export interface IdentifyRequestsOptions {
  /**
   * The `WWW-Authenticate` header for unknown senders, where a 401 response has one (default `Bearer`). Requests that a page makes
   * by itself keep the default, so that no browser interrupts its reader with a dialog.
   */
  challenge?: string
}

/**
 * Adds the sender of each request to routes, for `authorize` of the services. Every route sees the same request otherwise.
 *
 * @param identify returns the subject; `undefined` if the sender is unknown.
 * @example
 * const routes = identifyRequests(alerts.routes, async (request) => {
 *   const session = await resolveSession(auth, request)
 *   return session && { id: session.user_id, kind: 'session' }
 * })
 */
export function identifyRequests(
  routes: readonly Route[],
  identify: (
    request: RouteRequest,
    info: RequestInfo,
  ) => Subject | undefined | Promise<Subject | undefined>,
  { challenge }: IdentifyRequestsOptions = {},
): readonly Route[] {
  const identified = async (request: RouteRequest, info: RequestInfo): Promise<RequestInfo> => {
    const subject = await identify(request, info)
    return subject === undefined ? info : { ...info, subject }
  }
  const challenging = (answer: Answer, request: RouteRequest, { subject }: RequestInfo): Answer =>
    challenge !== undefined &&
    subject === undefined &&
    mayPromptForPassword(request) &&
    answer.status === 401 &&
    answer.headers['www-authenticate'] !== undefined
      ? { ...answer, headers: { ...answer.headers, 'www-authenticate': challenge } }
      : answer
  return routes.map((route) => {
    const connect = route.connect?.bind(route)
    return {
      ...route,
      async answer(request, given) {
        const info = await identified(request, given)
        return challenging(await route.answer(request, info), request, info)
      },
      ...(connect === undefined
        ? {}
        : {
            async connect(request, given) {
              const info = await identified(request, given)
              const outcome = await connect(request, info)
              return typeof outcome === 'function' ? outcome : challenging(outcome, request, info)
            },
          }),
    } satisfies Route
  })
}
