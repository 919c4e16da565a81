import type { Answer } from '../../http/answer.ts'
import { createFrame, type Exchange, type Row } from '../../http/frame.ts'
import type { Route } from '../../http/route.ts'
import type { AuthContext } from '../context.ts'
import { authError } from '../errors.ts'
import { isFault, retryAfter, toApiError } from '../flows/api-error.ts'
import { formatSetCookie, type SetCookie } from '../sessions/cookies.ts'
import { corsHeaders } from './cors.ts'
import { errorAnswer, ownApiFailure } from './error-response.ts'
import { pageViewOf } from './page-view.ts'
import { pagesIn } from './pages.ts'
import { isPlainAllowed, requestContext } from './request-context.ts'

/** An answer, and its cookies. */
export interface FramedAnswer extends Answer {
  readonly cookies?: readonly SetCookie[]
  /** Of an error, for the log. */
  readonly tracking_id?: string
}

/** A request, and when it arrived: in ms of the monotonic clock. */
export interface TimedExchange extends Exchange {
  readonly startedAt: number
}

/** A row before its answer gets the headers and checks that all share. Its path is relative to the base path. */
export interface FramedRow extends Row<TimedExchange, FramedAnswer> {
  /** The form of failures: JSON for programs as Authgear has it or as below `/gatehouse/v1`, pages for people. */
  readonly kind: 'api' | 'own' | 'page'
}

/** Paths come from clients; the log keeps this many characters. */
const maxPathLength = 200

const tlsAdvice =
  'HTTPS required: serve TLS, set trusted_proxies (trustedProxies of the adapter) behind a proxy, or http.allow_insecure in development'

/** Adds the common parts to rows: requires TLS, answers failures, and sets CORS headers. */
export function createRequestFrame(
  auth: AuthContext,
  basePath: string = auth.config.current.http.base_path,
): (row: FramedRow) => Route {
  const framed = createFrame<FramedRow, TimedExchange, FramedAnswer, FramedAnswer>({
    open: (request, info) => ({ request, info, startedAt: auth.clock.monotonic() }),
    check: (_row, exchange) => checkTls(auth, exchange),
    refuse: (error, row, exchange) => refusal(auth, error, row, exchange),
    settle: (answer) => answer,
    report: (answer, _row, exchange) => report(auth, exchange, answer),
    complete: ({ cookies = [], tracking_id: _id, ...answer }, _row, { request }) => {
      const cors = corsHeaders(request, auth.config.current)
      const kept = cookies.length === 0 ? {} : { 'set-cookie': cookies.map(formatSetCookie) }
      return {
        ...answer,
        headers: { 'cache-control': 'no-store', ...cors, ...answer.headers, ...kept },
      }
    },
  })
  return (row) => framed({ ...row, path: `${basePath}${row.path}` })
}

function refusal(
  auth: AuthContext,
  error: unknown,
  { kind }: FramedRow,
  { request, info: { path, query } }: Exchange,
): FramedAnswer {
  const tracking_id = auth.ids.random()
  if (isFault(error)) {
    const fields = { err: error, path: path.slice(0, maxPathLength), tracking_id }
    auth.logger.error(fields, 'a request failed')
  }
  const apiError = toApiError(error, tracking_id)
  if (kind === 'own') return { ...ownApiFailure(apiError, retryAfter(error)), tracking_id }
  if (kind === 'api') return errorAnswer({ error: apiError }, retryAfter(error))
  const { language, show } = pageViewOf(auth, request, query)
  return { ...show(pagesIn(language).failed(apiError.code, apiError.reason)), tracking_id }
}

function checkTls(auth: AuthContext, { request, info }: Exchange): undefined {
  const config = auth.config.current
  if (config.http.allow_insecure || info.secure) return
  if (isPlainAllowed(auth, request, info)) return
  // Clients see the refusal each time, and any client can send such requests.
  if (!auth.background.hasRefusedPlain) auth.logger.warn({}, `a request was refused: ${tlsAdvice}`)
  auth.background.hasRefusedPlain = true
  throw authError('Forbidden', 'HTTPSRequired', tlsAdvice)
}

function report(
  auth: AuthContext,
  { request, info, startedAt }: TimedExchange,
  { status, tracking_id }: FramedAnswer,
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
