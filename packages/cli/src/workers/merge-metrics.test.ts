import { expect, it } from 'vitest'
import { mergeMetrics } from './merge-metrics.ts'

it('gives every series the number of its process, under one head for each metric', () => {
  const text = (value: number): string =>
    [
      '# HELP b_total Counts.',
      '# TYPE b_total counter',
      `b_total ${value}`,
      '# HELP h_seconds Takes time.',
      '# TYPE h_seconds histogram',
      `h_seconds_bucket{path="/a b{}",le="1"} ${value}`,
      `h_seconds_count{} ${value}`,
      '',
    ].join('\n')
  const only = '# HELP a One process has it.\n# TYPE a gauge\na 1\n'
  expect(
    mergeMetrics([
      { worker: 2, text: text(5) },
      { worker: 1, text: `${only}${text(7)}# EOF\n` },
    ]),
  ).toBe(
    [
      '# HELP a One process has it.',
      '# TYPE a gauge',
      'a{worker="1"} 1',
      '# HELP b_total Counts.',
      '# TYPE b_total counter',
      'b_total{worker="2"} 5',
      'b_total{worker="1"} 7',
      '# HELP h_seconds Takes time.',
      '# TYPE h_seconds histogram',
      'h_seconds_bucket{worker="2",path="/a b{}",le="1"} 5',
      'h_seconds_count{worker="2"} 5',
      'h_seconds_bucket{worker="1",path="/a b{}",le="1"} 7',
      'h_seconds_count{worker="1"} 7',
      '# EOF',
      '',
    ].join('\n'),
  )
})
