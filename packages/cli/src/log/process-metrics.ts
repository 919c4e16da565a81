import { readdirSync, readFileSync } from 'node:fs'
import type { MetricsRegistry } from '@gatehouse/core'
import { declareMetrics, type MetricRows, registerEventLoopDelay } from '@gatehouse/core/adapter'

const rows = {
  cpu: {
    type: 'counter',
    name: 'process_cpu_seconds_total',
    help: 'Total user and system CPU time spent in seconds.',
  },
  memory: {
    type: 'gauge',
    name: 'process_resident_memory_bytes',
    help: 'Resident memory size in bytes.',
  },
} satisfies MetricRows

const startRow = {
  type: 'gauge',
  name: 'process_start_time_seconds',
  help: 'Start time of the process since unix epoch in seconds.',
} as const

const procRows = {
  virtualMemory: {
    type: 'gauge',
    name: 'process_virtual_memory_bytes',
    help: 'Virtual memory size in bytes.',
  },
  openFiles: {
    type: 'gauge',
    name: 'process_open_fds',
    help: 'Number of open file descriptors.',
  },
  maxFiles: {
    type: 'gauge',
    name: 'process_max_fds',
    help: 'Maximum number of open file descriptors.',
  },
} satisfies MetricRows

/**
 * Registers the process metrics of Prometheus' client libraries. Without `/proc`, those that need it are left out.
 *
 * @see https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics
 */
export function registerProcessMetrics(metrics: MetricsRegistry): void {
  const startedAt = (Date.now() - performance.now()) / 1_000
  let countedSeconds = 0
  const { cpu } = declareMetrics(metrics, rows, {
    memory(gauge) {
      gauge.set(process.memoryUsage.rss())
      const { user, system } = process.cpuUsage()
      const seconds = (user + system) / 1e6
      cpu.add(seconds - countedSeconds)
      countedSeconds = seconds
    },
  })
  // The webhook service has its own.
  if (!metrics.has('gatehouse_event_loop_delay_seconds')) registerEventLoopDelay(metrics).measure()
  // The alert service registers it with its own start time.
  if (!metrics.has(startRow.name)) {
    declareMetrics(metrics, { startRow }, { startRow: (gauge) => gauge.set(startedAt) })
  }
  const readers = { virtualMemory, openFiles, maxFiles }
  for (const key of ['virtualMemory', 'openFiles', 'maxFiles'] as const) {
    const read = readers[key]
    if (read() === undefined) continue
    declareMetrics(
      metrics,
      { row: procRows[key] },
      {
        row(gauge) {
          const value = read()
          if (value === undefined) gauge.clear()
          else gauge.set(value)
        },
      },
    )
  }
}

/** The result of `read`; `undefined` if there is no `/proc`, or no file can be opened at the moment. */
function unlessMissing<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** `stat` counts pages, whose size depends on the machine; `status` has kB. */
const virtualMemory = (): number | undefined =>
  numberIn('/proc/self/status', /^VmSize:\s+(\d+) kB$/m, 1_024)

const maxFiles = (): number | undefined => numberIn('/proc/self/limits', /^Max open files\s+(\d+)/m)

/** The open folder itself is one of them. */
const openFiles = (): number | undefined => {
  const names = unlessMissing(() => readdirSync('/proc/self/fd'))
  return names === undefined ? undefined : names.length - 1
}

function numberIn(path: string, pattern: RegExp, factor = 1): number | undefined {
  const text = unlessMissing(() => readFileSync(path, 'utf8'))
  const found = text === undefined ? undefined : pattern.exec(text)?.[1]
  return found === undefined ? undefined : Number(found) * factor
}
