import { existsSync } from 'node:fs'
import { createMetricsRegistry } from '@gatehouse/core'
import { expect, it } from 'vitest'
import { registerProcessMetrics } from './process-metrics.ts'

it('exports the delay of the event loop, unless it is exported already', async () => {
  const metrics = createMetricsRegistry()
  registerProcessMetrics(metrics)
  expect((await metrics.expose(null)).body).toMatch(/^gatehouse_event_loop_delay_seconds /m)
  const shared = createMetricsRegistry()
  shared.gauge({ name: 'gatehouse_event_loop_delay_seconds', help: 'h' }).set(7)
  registerProcessMetrics(shared)
  expect((await shared.expose(null)).body).toContain('gatehouse_event_loop_delay_seconds 7')
})

it('exports the standard process metrics of Prometheus', async () => {
  const metrics = createMetricsRegistry()
  registerProcessMetrics(metrics)
  const values = async (): Promise<ReadonlyMap<string, number>> => {
    const { body } = await metrics.expose(null)
    const lines = body.split('\n').filter((line) => line.startsWith('process_'))
    return new Map(lines.map((line) => [line.split(' ')[0] ?? '', Number(line.split(' ')[1])]))
  }
  await values()
  const found = await values()
  expect(found.get('process_cpu_seconds_total')).toBeGreaterThan(0)
  expect(found.get('process_resident_memory_bytes')).toBeGreaterThan(1e6)
  const startedAt = found.get('process_start_time_seconds') ?? 0
  expect(startedAt * 1_000).toBeLessThanOrEqual(Date.now())
  expect(startedAt).toBeGreaterThan(1.6e9)
  if (!existsSync('/proc/self/fd')) return
  expect(found.get('process_open_fds')).toBeGreaterThan(2)
  expect(found.get('process_max_fds')).toBeGreaterThan(found.get('process_open_fds') ?? 0)
  expect(found.get('process_virtual_memory_bytes')).toBeGreaterThan(1e6)
})
