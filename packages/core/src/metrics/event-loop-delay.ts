import { monitorEventLoopDelay } from 'node:perf_hooks'
import { declareMetrics, type MetricRows } from './declare-metrics.ts'
import type { MetricsRegistry } from './metrics.ts'

/** Measures how long the event loop delays other work. */
export interface EventLoopDelay {
  /** Measures until the returned function is called. */
  measure(): () => void
}

const resolutionMs = 20

const rows = {
  delay: {
    type: 'gauge',
    name: 'gatehouse_event_loop_delay_seconds',
    help: 'Delay of the event loop, 99th percentile since the last scrape.',
  },
} satisfies MetricRows

/** Registers a gauge of the 99th percentile of the delay since the last scrape; 0 while nothing measures. */
export function registerEventLoopDelay(metrics: MetricsRegistry): EventLoopDelay {
  let histogram: ReturnType<typeof monitorEventLoopDelay> | undefined
  let measuring = 0
  declareMetrics(metrics, rows, {
    delay(gauge) {
      // The histogram records the interval between samples, which includes the resolution even without a delay.
      const seconds = (histogram?.percentile(99) ?? 0) / 1e9 - resolutionMs / 1_000
      gauge.set(Math.max(0, seconds))
      histogram?.reset()
    },
  })
  return {
    measure() {
      measuring++
      histogram ??= monitorEventLoopDelay({ resolution: resolutionMs })
      histogram.enable()
      let isOn = true
      return () => {
        if (!isOn) return
        isOn = false
        measuring--
        if (measuring > 0) return
        histogram?.disable()
        histogram = undefined
      }
    },
  }
}
