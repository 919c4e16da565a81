import { expect, it } from 'vitest'
import { createMetricsRegistry } from '../metrics.ts'
import { registerEventLoopDelay } from './event-loop-delay.ts'

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

it('the delay of the event loop is shown while it is measured', async () => {
  const metrics = createMetricsRegistry()
  const delay = registerEventLoopDelay(metrics)
  const shown = async (): Promise<number> => {
    const { body } = await metrics.expose(null)
    return Number(/^gatehouse_event_loop_delay_seconds (\S+)$/m.exec(body)?.[1])
  }
  expect(await shown()).toBe(0)
  const stop = delay.measure()
  const stopOther = delay.measure()
  await pause(50)
  for (const until = performance.now() + 200; performance.now() < until; );
  await pause(50)
  stop()
  stop()
  const seconds = await shown()
  expect(seconds).toBeGreaterThan(0.1)
  expect(seconds).toBeLessThan(60)
  stopOther()
  expect(await shown()).toBe(0)
})
