import { describe, expect, it } from 'vitest'
import { listAlertHistory } from '../alerts/list-alert-history.ts'
import { postAlerts } from '../alerts/post-alerts.ts'
import { createFixture } from '../service.fixture.ts'
import { watchChanges } from '../watch-changes.ts'
import { startAlerts } from './start-alerts.ts'

const flushed = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve))

describe('startAlerts', () => {
  it('keeps the history until the end, and leaves no timer', async () => {
    const { alerts, clock } = createFixture()
    const running = startAlerts(alerts)
    await postAlerts(alerts, [{ labels: { alertname: 'Disk' } }])
    for (let seconds = 0; seconds < 60; seconds++) {
      clock.advance(1_000)
      await flushed()
    }
    await running.stop()
    expect((await listAlertHistory(alerts)).items.length).toBeGreaterThan(0)
    expect(clock.pendingTimers).toBe(0)
  })

  it('ends the streams of changes when it is stopped', async () => {
    const { alerts } = createFixture()
    const running = startAlerts(alerts)
    const changes = watchChanges(alerts)
    await changes.next()
    await Promise.all([running.stop(), running.stop()])
    for await (const _ of changes);
    expect(alerts.changes.size).toBe(0)
  })

  it('leaves parts out', async () => {
    const { alerts, clock } = createFixture()
    const nothing = { dispatcher: false, maintenance: false, history: false, heartbeat: false }
    const running = startAlerts(alerts, { ...nothing, eventRecorder: false })
    expect(clock.pendingTimers).toBe(0)
    await running.stop()
  })

  it.each([
    [{ dispacher: false }, '"dispatcher"'],
    [{ dispatcher: 1 }, 'options.dispatcher'],
    [{ dispatcher: { concurrency: 0 } }, 'options.dispatcher.concurrency'],
    [{ history: 'no' }, 'options.history'],
  ])('refuses %j', (options, message) => {
    const { alerts } = createFixture()
    expect(() => startAlerts(alerts, options as object)).toThrow(message)
  })
})
