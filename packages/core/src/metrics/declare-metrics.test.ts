import { expect, it } from 'vitest'
import { declareMetrics } from './declare-metrics.ts'
import { createMetricsRegistry } from './metrics.ts'

it('a row of each type becomes a metric with its name, help and labels', async () => {
  const metrics = createMetricsRegistry()
  const { calls, size, seconds, waits } = declareMetrics(
    metrics,
    {
      calls: { type: 'counter', name: 'calls_total', help: 'Calls.', labels: ['by'] },
      size: { type: 'gauge', name: 'size', help: 'Size.' },
      seconds: { type: 'histogram', name: 'call_seconds', help: 'Duration.', buckets: [1] },
      waits: { type: 'summary', name: 'wait_seconds', help: 'Wait.' },
    },
    { size: (gauge) => gauge.add(2) },
  )
  calls.add(3, { by: 'maya' })
  size.set(4)
  seconds.observe(0.5)
  waits.observe(7)
  const { body } = await metrics.expose(null)
  expect(body.split('\n')).toEqual([
    '# HELP call_seconds Duration.',
    '# TYPE call_seconds histogram',
    'call_seconds_bucket{le="1"} 1',
    'call_seconds_bucket{le="+Inf"} 1',
    'call_seconds_sum 0.5',
    'call_seconds_count 1',
    '# HELP calls_total Calls.',
    '# TYPE calls_total counter',
    'calls_total{by="maya"} 3',
    '# HELP size Size.',
    '# TYPE size gauge',
    'size 6',
    '# HELP wait_seconds Wait.',
    '# TYPE wait_seconds summary',
    'wait_seconds_sum 7',
    'wait_seconds_count 1',
    '',
  ])
})

it('only a gauge can be read at every scrape', () => {
  const rows = { calls: { type: 'counter', name: 'calls_total', help: 'Calls.' } } as const
  const declared = () => declareMetrics(createMetricsRegistry(), rows, { calls: () => {} })
  expect(declared).toThrow(new TypeError('"calls" is not a gauge'))
})
