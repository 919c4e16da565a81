import { formatGoDuration } from '@gatehouse/go-template/text'
import { isGatehouseError } from '../../../errors.ts'
import type { Answer } from '../../../http/answer.ts'
import { plainFailure } from '../../../http/answer.ts'
import { createFrame, type Exchange } from '../../../http/frame.ts'
import { noticeClient } from '../../../http/loopback.ts'
import { ownErrorAnswer } from '../../../http/own-api/failure.ts'
import type { Route, RouteRequest } from '../../../http/route.ts'
import type { AlertsContext } from '../../context.ts'
import { corsHeaders, foreignPage, preflightAnswer } from './cors.ts'
import { errorAnswer } from './error-response.ts'
import type { FramedRow, TimedExchange } from './framed-row.ts'
import { createGetLimit } from './get-limit.ts'
import { createRequestMetrics } from './request-metrics.ts'
import { ServerAnswer, serverRefusal } from './server-answer.ts'

/**
 * Adds the common parts to rows: HTTP metrics, a limit on concurrent GET requests, a timeout, access checks, failures in the format of
 * the API, and CORS headers.
 *
 * @see Alertmanager, `web.get-concurrency` and `web.timeout`
 */
export function createRequestFrame(alerts: AlertsContext): (row: FramedRow) => Route {
  const { clock, access, exposure } = alerts
  const limited = createGetLimit(alerts)
  const metrics = createRequestMetrics(alerts.metrics)
  const framed = createFrame<FramedRow, TimedExchange, Answer | ServerAnswer, Answer>({
    open: (request, info) => {
      noticeClient(exposure, info)
      return { request, info, startedAt: clock.now() }
    },
    check: ({ action, checksResource }, { info }) =>
      action === 'public' || checksResource === true ? undefined : access?.check(info, action),
    within: (row, { request }, proceed) => within(alerts, row, request, proceed),
    refuse: (error, row, exchange) => refusal(alerts, error, row, exchange),
    settle: (outcome, { kind }, { request }) => {
      if (outcome instanceof ServerAnswer) return outcome.answer
      return kind === 'plain' ? outcome : inApi(alerts, request, outcome)
    },
    report: (answer, { handler }, { request: { method }, startedAt }) =>
      metrics.answered({ handler, method, answer, durationMs: clock.now() - startedAt }),
    complete: (answer) => answer,
  })
  // No answer of this service has a secret: configurations are masked.
  return (row) => framed({ ...row, answer: limited(row), isCompressible: true })
}

/** Answers for the whole server first, and no later than the timeout. A request that takes longer goes on, and counts until it ends. */
function within(
  { options, clock }: AlertsContext,
  row: FramedRow,
  request: RouteRequest,
  proceed: () => Promise<Answer | ServerAnswer>,
): Promise<Answer | ServerAnswer> {
  const { allowedOrigins = [], timeoutMs } = options
  const forbidden = foreignPage(request, options, allowedOrigins)
  if (forbidden !== undefined) {
    return Promise.resolve(serverRefusal(row, 'Forbidden', forbidden))
  }
  const preflight = row.kind === 'plain' ? undefined : preflightAnswer(request, options)
  if (preflight !== undefined) {
    const headers = { 'cache-control': 'no-store', ...preflight.headers }
    return Promise.resolve(new ServerAnswer({ ...preflight, headers }))
  }
  if (timeoutMs === 0) return proceed()
  return new Promise((resolve, reject) => {
    const text = `Exceeded configured timeout of ${formatGoDuration(timeoutMs)}.`
    const cancel = clock.setTimer(timeoutMs, () => resolve(serverRefusal(row, 'TimedOut', text)))
    proceed().then(resolve, reject).finally(cancel)
  })
}

function refusal(
  { logger, options }: AlertsContext,
  error: unknown,
  row: FramedRow,
  { request, info }: Exchange,
): Answer {
  const answer = failure(error, row)
  if (answer.status >= 500 && !isLoggedOnce(error)) {
    logger.error({ err: error, handler: row.handler, path: info.path }, 'a request failed')
  }
  // A refusal of access has the headers of the API, also for other paths.
  return row.kind === 'plain' && answer.status < 500 ? inApi({ options }, request, answer) : answer
}

/** Whether the log has a warning from when this began: each open page asks for the alerts of a server that is down. */
function isLoggedOnce(error: unknown): boolean {
  return isGatehouseError(error) && error.reason === 'OtherServerFailed'
}

function failure(error: unknown, row: FramedRow): Answer {
  if (row.kind === 'own') return ownErrorAnswer(error)
  const isDenial =
    isGatehouseError(error) && (error.kind === 'Unauthorized' || error.kind === 'Forbidden')
  if (row.kind === 'api' || isDenial) return errorAnswer(error, row)
  return plainFailure(500, 'internal error\n')
}

/** Adds CORS headers, and no caching. */
function inApi(
  { options }: Pick<AlertsContext, 'options'>,
  request: RouteRequest,
  answer: Answer,
): Answer {
  const headers = {
    'cache-control': 'no-store',
    ...corsHeaders(request, options),
    ...answer.headers,
  }
  return { ...answer, headers }
}
