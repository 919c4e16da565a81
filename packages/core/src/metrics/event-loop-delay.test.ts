import { expect, it } from 'vitest'
import { registerEventLoopDelay } from './event-loop-delay.ts'
import { createMetricsRegistry } from './metrics.ts'

it('exports the delay of the event loop while measuring', async () => {
  const metrics = createMetricsRegistry()
  const delay = registerEventLoopDelay(metrics)
  const shown = async (): Promise<number> => {
    const { body } = await metrics.expose(null)
    return Number(/^gatehouse_event_loop_delay_seconds (\S+)$/m.exec(body)?.[1])
  }
  expect(await shown()).toBe(0)
  const stop = delay.measure()
  const stopOther = delay.measure()
  stop()
  stop()
  const shownLate = async (): Promise<number> => {
    for (const until = performance.now() + 200; performance.now() < until; );
    // The histogram samples at its next interval.
    await new Promise((resolve) => setTimeout(resolve, 50))
    return shown()
  }
  await expect.poll(shownLate).toBeGreaterThan(0.1)
  stopOther()
  expect(await shown()).toBe(0)
})
