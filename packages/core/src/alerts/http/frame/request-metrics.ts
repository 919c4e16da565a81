import type { Answer } from '../../../http/answer.ts'
import { declareMetrics, type MetricRows } from '../../../metrics/declare-metrics.ts'
import type { MetricsRegistry } from '../../../metrics/metrics.ts'

/** A request that was answered. */
interface AnsweredRequest {
  readonly handler: string
  readonly method: string
  readonly answer: Answer
  readonly durationMs: number
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

/** Observes how long answers took, and how long they are. */
export function createRequestMetrics(metrics: MetricsRegistry): {
  answered(request: AnsweredRequest): void
} {
  const { duration, size } = declareMetrics(metrics, metricRows)
  return {
    answered({ handler, method: sent, answer: { status, byteLength }, durationMs }) {
      const method = methodLabel(sent)
      duration.observe(durationMs / 1_000, { handler, method, code: `${status}` })
      size.observe(byteLength, { handler, method })
    },
  }
}
