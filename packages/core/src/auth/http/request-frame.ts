import type { RouteAction } from '../../authorization/action.ts'
import type { Answer } from '../../http/answer.ts'
import type { RequestInfo, Route, RouteRequest } from '../../http/route.ts'
import type { AuthContext } from '../context.ts'
import { authError } from '../errors.ts'
import { isFault, retryAfter, toApiError } from '../flows/api-error.ts'
import { formatSetCookie, type SetCookie } from '../sessions/cookies.ts'
import { corsHeaders } from './cors.ts'
import { errorAnswer, ownApiFailure } from './error-response.ts'
import { failurePage, pageAnswer } from './pages.ts'
import { isPlainAllowed, requestContext } from './request-context.ts'

/** An answer, and its cookies. */
export interface FramedAnswer extends Answer {
  readonly cookies?: readonly SetCookie[]
  /** Of an error, for the log. */
  readonly tracking_id?: string
}

/** A row before its answer gets the headers and checks that all share. */
export interface FramedRow {
  readonly method: string
  /** Relative to the base path. */
  readonly path: string
  /** The form of failures: JSON for programs as Authgear has it or as below `/gatehouse/v1`, pages for people. */
  readonly kind: 'api' | 'own' | 'page'
  readonly action: RouteAction
  answer(request: RouteRequest, info: RequestInfo): Promise<FramedAnswer>
  /** See `Route.connect`. */
  readonly connect?: NonNullable<Route['connect']>
}

/** Paths come from clients; the log keeps this many characters. */
const maxPathLength = 200

const tlsAdvice =
  'HTTPS required: serve TLS, set trusted_proxies (trustedProxies of the adapter) behind a proxy, or http.allow_insecure in development'

/** Adds the common parts to rows: requires TLS, answers failures, and sets CORS headers. */
export function createRequestFrame(auth: AuthContext): (row: FramedRow) => Route {
  const basePath = auth.config.current.http.base_path

  function refuse(
    error: unknown,
    { kind }: Pick<FramedRow, 'kind'>,
    { path }: RequestInfo,
  ): FramedAnswer {
    const tracking_id = auth.ids.random()
    if (isFault(error)) {
      const fields = { err: error, path: path.slice(0, maxPathLength), tracking_id }
      auth.logger.error(fields, 'a request failed')
    }
    const apiError = toApiError(error, tracking_id)
    if (kind === 'own') return { ...ownApiFailure(apiError, retryAfter(error)), tracking_id }
    if (kind === 'api') return errorAnswer({ error: apiError }, retryAfter(error))
    return { ...pageAnswer(failurePage(apiError.code, apiError.message)), tracking_id }
  }

  function checkTls(request: RouteRequest, info: RequestInfo): void {
    const config = auth.config.current
    if (config.http.allow_insecure || info.secure) return
    if (isPlainAllowed(auth, request, info)) return
    // Clients see the refusal each time, and any client can send such requests.
    if (!auth.background.hasRefusedPlain)
      auth.logger.warn({}, `a request was refused: ${tlsAdvice}`)
    auth.background.hasRefusedPlain = true
    throw authError('Forbidden', 'HTTPSRequired', tlsAdvice)
  }

  function finish(
    request: RouteRequest,
    { cookies = [], tracking_id: _id, ...answer }: FramedAnswer,
  ): Answer {
    const cors = corsHeaders(request, auth.config.current)
    const kept = cookies.length === 0 ? {} : { 'set-cookie': cookies.map(formatSetCookie) }
    const headers = { 'cache-control': 'no-store', ...cors, ...answer.headers, ...kept }
    return forMethod(request.method, { ...answer, headers })
  }

  function report(
    request: RouteRequest,
    info: RequestInfo,
    { status, tracking_id }: FramedAnswer,
    startedAt: number,
  ): void {
    const fields = {
      method: request.method,
      path: info.path.slice(0, maxPathLength),
      status,
      duration_ms: Math.round(auth.clock.monotonic() - startedAt),
      client: requestContext(request, info).ip,
      ...(tracking_id === undefined ? {} : { tracking_id }),
    }
    auth.logger.info(fields, 'request')
  }

  return (row) => {
    const { method, path, action, connect } = row
    const answerOf = async (request: RouteRequest, info: RequestInfo): Promise<FramedAnswer> => {
      checkTls(request, info)
      return row.answer(request, info)
    }
    const route: Route = {
      method,
      path: `${basePath}${path}`,
      action,
      async answer(request, info) {
        const startedAt = auth.clock.monotonic()
        const answer = await answerOf(request, info).catch((error: unknown) =>
          refuse(error, row, info),
        )
        report(request, info, answer, startedAt)
        return finish(request, answer)
      },
    }
    if (connect === undefined) return route
    return {
      ...route,
      async connect(request, info) {
        try {
          checkTls(request, info)
          return await connect(request, info)
        } catch (error) {
          return finish(request, refuse(error, row, info))
        }
      },
    }
  }
}

/** The answer to HEAD is that to GET without its body. */
function forMethod(method: string, answer: Answer): Answer {
  return method === 'HEAD' ? { ...answer, body: null } : answer
}
