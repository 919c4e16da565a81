import { declareMetrics, type MetricRows } from '../../../metrics/declare-metrics.ts'
import type { AlertsContext } from '../../context.ts'
import type { FramedRow } from './framed-row.ts'
import { serverRefusal } from './server-answer.ts'

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
} satisfies MetricRows

/**
 * Limits how many GET requests are answered at a time: more are refused. A request counts until its answer is ready to be sent, even if
 * its client was refused by the timeout before.
 *
 * @see Alertmanager, `web.get-concurrency`
 */
export function createGetLimit({
  metrics,
  options,
}: Pick<AlertsContext, 'metrics' | 'options'>): (row: FramedRow) => FramedRow['answer'] {
  const limit = options.getConcurrency
  let inFlight = 0
  let limitedInFlight = 0
  const { refused } = declareMetrics(metrics, metricRows, {
    inFlight: (gauge) => gauge.set(inFlight, { method: 'get' }),
  })
  refused.add(0, { method: 'get' })

  return (row) => async (exchange) => {
    if (exchange.request.method !== 'GET') return row.answer(exchange)
    const isLimited = row.isUnlimited !== true
    if (isLimited && limitedInFlight >= limit) {
      refused.add(1, { method: 'get' })
      const text = `Limit of concurrent GET requests reached (${limit}), try again later.`
      // Alertmanager's text ends with an empty line.
      return serverRefusal(row, 'ServerBusy', row.kind === 'own' ? text : `${text}\n`)
    }
    inFlight += 1
    if (isLimited) limitedInFlight += 1
    try {
      return await row.answer(exchange)
    } finally {
      inFlight -= 1
      if (isLimited) limitedInFlight -= 1
    }
  }
}
