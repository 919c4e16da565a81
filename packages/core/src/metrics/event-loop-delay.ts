import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { MetricsRegistry } from './metrics.ts'

/** How long the event loop keeps things waiting, while somebody measures it. */
export interface EventLoopDelay {
  /** Measures until the answered function is called. */
  measure(): () => void
}

const resolutionMs = 20

/** Registers a gauge of the delay that one in a hundred looks exceeded since it was last asked for; 0 while nobody measures. */
export function registerEventLoopDelay(metrics: MetricsRegistry): EventLoopDelay {
  let histogram: ReturnType<typeof monitorEventLoopDelay> | undefined
  let measuring = 0
  metrics.gauge({
    name: 'gatehouse_event_loop_delay_seconds',
    help: 'Delay of the event loop, 99th percentile since the last scrape.',
    collect(gauge) {
      // It measures from one look to the next, which are so far apart without any delay.
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
