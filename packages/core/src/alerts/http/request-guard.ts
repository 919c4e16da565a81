import { formatGoDuration } from '@gatehouse/go-template/text'
import type { Access } from '../../authorization/access.ts'
import type { RouteAction } from '../../authorization/action.ts'
import { isGatehouseError } from '../../errors.ts'
import { type Answer, plainFailure } from '../../http/answer.ts'
import { noticeClient } from '../../http/loopback.ts'
import { ownErrorAnswer, ownRefusal } from '../../http/own-api/failure.ts'
import type { RequestInfo, Route, RouteRequest } from '../../http/route.ts'
import { declareMetrics, type MetricRows } from '../../metrics/declare-metrics.ts'
import type { AlertsContext } from '../context.ts'
import { corsHeaders, foreignPage } from './cors.ts'
import { errorAnswer } from './error-response.ts'

/** A row before it is guarded: its path, its name in metrics, and its handler. */
export interface GuardedRow {
  readonly method: string
  readonly path: string
  /** The label `handler` of the HTTP metrics, from a small, fixed set. */
  readonly handler: string
  readonly action: RouteAction
  /** Whether the operation checks the action, because that takes the resource (default false: the guard does). */
  readonly checksResource?: boolean
  /** Whether it is below `/gatehouse/v1`: its refusals are those of our own API (default: Alertmanager's). */
  readonly isOwn?: boolean
  /** Whether its GET requests do not count towards `getConcurrency` (default false): those that watch the process. */
  readonly isUnlimited?: boolean
  answer(request: RouteRequest, info: RequestInfo): Promise<Answer>
}

const knownMethods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
])

const methodLabel = (method: string): string =>
  knownMethods.has(method) ? method.toLowerCase() : 'unknown'

const metricRows = {
  inFlight: {
    type: 'gauge',
    name: 'alertmanager_http_requests_in_flight',
    help: 'Current number of HTTP requests being processed.',
    labels: ['method'],
  },
  refused: {
    type: 'counter',
    name: 'alertmanager_http_concurrency_limit_exceeded_total',
    help: 'Total number of times an HTTP request failed because the concurrency limit was reached.',
    labels: ['method'],
  },
  duration: {
    type: 'histogram',
    name: 'alertmanager_http_request_duration_seconds',
    help: 'Histogram of latencies for HTTP requests.',
    labels: ['handler', 'method', 'code'],
    buckets: [0.05, 0.1, 0.25, 0.5, 0.75, 1, 2, 5, 20, 60],
  },
  size: {
    type: 'histogram',
    name: 'alertmanager_http_response_size_bytes',
    help: 'Histogram of response size for HTTP requests.',
    labels: ['handler', 'method'],
    buckets: [1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8],
  },
} satisfies MetricRows

/**
 * Wraps rows with HTTP metrics, a limit on concurrent GET requests, and a timeout. A request is in flight until its response is
 * ready to be sent.
 *
 * @see Alertmanager, `web.get-concurrency` and `web.timeout`
 */
export function createRequestGuard(alerts: AlertsContext): (row: GuardedRow) => Route {
  const { metrics, clock, options, logger, access, exposure } = alerts
  const limit = options.getConcurrency
  let inFlight = 0
  let limitedInFlight = 0
  const { refused, duration, size } = declareMetrics(metrics, metricRows, {
    inFlight: (gauge) => gauge.set(inFlight, { method: 'get' }),
  })
  refused.add(0, { method: 'get' })

  /** The answer to a request whose sender may not do this; `undefined` if it may. */
  async function denial(
    access: Access,
    { action, checksResource, isOwn }: GuardedRow,
    request: RouteRequest,
    info: RequestInfo,
  ): Promise<Answer | undefined> {
    if (action === 'public' || checksResource === true) return undefined
    try {
      await access.check(info, action)
      return undefined
    } catch (error) {
      if (!isGatehouseError(error)) throw error
      const answer = isOwn ? ownErrorAnswer(error) : errorAnswer(error)
      const headers = {
        'cache-control': 'no-store',
        ...corsHeaders(request, options),
        ...answer.headers,
      }
      return { ...answer, headers }
    }
  }

  async function limited(
    row: GuardedRow,
    request: RouteRequest,
    info: RequestInfo,
  ): Promise<Answer> {
    const { allowedOrigins = [] } = options
    const forbidden = foreignPage(request, options, allowedOrigins)
    if (forbidden !== undefined) {
      return row.isOwn ? ownRefusal('Forbidden', forbidden) : plainFailure(403, `${forbidden}\n`)
    }
    const denied = access && (await denial(access, row, request, info))
    if (denied !== undefined) return denied
    if (request.method !== 'GET') return row.answer(request, info)
    const isLimited = row.isUnlimited !== true
    if (isLimited && limitedInFlight >= limit) {
      refused.add(1, { method: 'get' })
      const text = `Limit of concurrent GET requests reached (${limit}), try again later.`
      return row.isOwn ? ownRefusal('ServerBusy', text) : plainFailure(503, `${text}\n\n`)
    }
    inFlight += 1
    if (isLimited) limitedInFlight += 1
    try {
      return await row.answer(request, info)
    } finally {
      inFlight -= 1
      if (isLimited) limitedInFlight -= 1
    }
  }

  function timed({ isOwn }: GuardedRow, answer: Promise<Answer>): Promise<Answer> {
    const { timeoutMs } = options
    if (timeoutMs === 0) return answer
    return new Promise((resolve, reject) => {
      const text = `Exceeded configured timeout of ${formatGoDuration(timeoutMs)}.`
      const refusal = isOwn ? ownRefusal('TimedOut', text) : plainFailure(503, `${text}\n`)
      const cancel = clock.setTimer(timeoutMs, () => resolve(refusal))
      answer.then(resolve, reject).finally(cancel)
    })
  }

  async function guarded(
    row: GuardedRow,
    request: RouteRequest,
    info: RequestInfo,
  ): Promise<Answer> {
    noticeClient(exposure, info)
    const startedAt = clock.now()
    const answer = await timed(row, limited(row, request, info)).catch((error: unknown) => {
      logger.error({ err: error, handler: row.handler }, 'a request failed')
      return row.isOwn ? ownErrorAnswer(error) : plainFailure(500, 'internal error\n')
    })
    const { handler } = row
    const method = methodLabel(request.method)
    const seconds = (clock.now() - startedAt) / 1_000
    duration.observe(seconds, { handler, method, code: `${answer.status}` })
    size.observe(answer.byteLength, { handler, method })
    return answer
  }

  return (row) => {
    const { method, path, action } = row
    return { method, path, action, answer: (request, info) => guarded(row, request, info) }
  }
}
