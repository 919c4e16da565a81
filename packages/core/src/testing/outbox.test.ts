import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it, onTestFinished } from 'vitest'
import { postAlerts } from '../alerts/alerts/post-alerts.ts'
import { createAlerts } from '../alerts/create-alerts.ts'
import type { NotifyResult } from '../alerts/receivers/notifier.ts'
import { startDispatcher } from '../alerts/start/start-dispatcher.ts'
import { createManualClock } from './manual-clock.ts'
import { createOutbox, type Outbox } from './outbox.ts'

const retry: NotifyResult = { outcome: 'retry', reason: 'serverError', detail: 'busy' }

/** The service with an outbox for every receiver, and a function to advance the time. */
function createWorld(): {
  outbox: Outbox
  post: () => Promise<void>
  pass: (ms: number) => Promise<void>
} {
  const clock = createManualClock()
  const outbox = createOutbox()
  const alerts = createAlerts({
    storage: createMemoryStorage({ clock }),
    clock,
    config: `
route: { receiver: team, group_by: [alertname], group_wait: 10s, repeat_interval: 1h }
receivers: [ { name: team, webhook_configs: [ { url: 'http://nobody.invalid/' } ] } ]`,
    notifiers: () => [outbox.notifier],
  })
  const dispatcher = startDispatcher(alerts)
  onTestFinished(() => dispatcher.stop())
  return {
    outbox,
    post: () => postAlerts(alerts, [{ labels: { alertname: 'A' }, endsAt: clock.now() + 9e7 }]),
    async pass(ms) {
      await dispatcher.settled()
      clock.advance(ms)
      await dispatcher.settled()
    },
  }
}

describe('an outbox', () => {
  it('replaces the integrations of a receiver', async () => {
    const { outbox, post, pass } = createWorld()
    await post()
    await pass(9_999)
    expect(outbox.notifications).toEqual([])
    await pass(1)
    expect(outbox.notifications).toMatchObject([
      { receiver: 'team', status: 'firing', groupLabels: { alertname: 'A' } },
    ])
    expect(outbox.notifications[0]?.text('{{ template "__subject" . }}')).toBe('[FIRING:1] A ')
  })

  it('returns the given failures one after the other, then sends', async () => {
    const { outbox, post, pass } = createWorld()
    outbox.answerNext(retry, retry)
    await post()
    await pass(10_000)
    expect([outbox.attempts.length, outbox.notifications.length]).toEqual([1, 0])
    await pass(1_000)
    await pass(2_000)
    expect([outbox.attempts.length, outbox.notifications.length]).toEqual([3, 1])
  })

  it('forgets everything when cleared', async () => {
    const { outbox, post, pass } = createWorld()
    await post()
    await pass(10_000)
    outbox.answerNext(retry)
    outbox.clear()
    expect([outbox.attempts, outbox.notifications]).toEqual([[], []])
    await pass(3_600_000)
    await pass(300_000)
    expect(outbox.notifications).toMatchObject([{ reason: 'repeat interval elapsed' }])
  })
})
