import { readFileSync } from 'node:fs'
import { createAlerts, postAlerts, startDispatcher } from '@gatehouse/core'
import { renderNotification } from '@gatehouse/core/alerts'
import { createManualClock, createOutbox } from '@gatehouse/core/testing'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it, onTestFinished } from 'vitest'

const config = readFileSync(new URL('../alertmanager.yml', import.meta.url), 'utf8')
const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** The service with its dispatcher, and an outbox in place of every integration. */
function createService() {
  const clock = createManualClock(Date.UTC(2026, 0, 2, 12))
  const outbox = createOutbox()
  const alerts = createAlerts({
    storage: createMemoryStorage({ clock }),
    clock,
    config,
    notifiers: () => [outbox.notifier],
  })
  const dispatcher = startDispatcher(alerts)
  onTestFinished(() => dispatcher.stop())

  /** Advances the clock, and waits for all work that follows. */
  const pass = async (ms: number): Promise<void> => {
    await dispatcher.settled()
    clock.advance(ms)
    await dispatcher.settled()
  }
  /** Posts an alert that fires until `endsAt`, by default for a day. */
  const post = (labels: Record<string, string>, endsAt = clock.now() + 24 * hour) =>
    postAlerts(alerts, [{ labels, startsAt: clock.now() - 1, endsAt }])
  return { alerts, clock, outbox, pass, post }
}

const down = { alertname: 'Down', team: 'database', severity: 'critical', cluster: 'a' }
const slow = { alertname: 'SlowQuery', team: 'database' }

describe('the on-call receiver', () => {
  it('is notified after ten seconds, of every alert that fires by then', async () => {
    const { outbox, pass, post } = createService()
    await post(down)
    await pass(9 * second)
    await post({ ...down, cluster: 'b' })
    expect(outbox.notifications).toEqual([])
    await pass(second)
    expect(outbox.notifications).toMatchObject([
      {
        receiver: 'database-on-call',
        status: 'firing',
        groupLabels: { alertname: 'Down' },
        alerts: [{ labels: { cluster: 'a' } }, { labels: { cluster: 'b' } }],
      },
    ])
  })

  it('is notified again every four hours, and not in between', async () => {
    const { outbox, pass, post } = createService()
    await post(down)
    await pass(10 * second)
    outbox.clear()
    await pass(4 * hour - minute)
    expect(outbox.notifications).toEqual([])
    await pass(5 * minute) // the next flush of the group
    expect(outbox.notifications).toMatchObject([{ reason: 'repeat interval elapsed' }])
  })

  it('is notified once the alert is resolved', async () => {
    const { clock, outbox, pass, post } = createService()
    await post(down)
    await pass(10 * second)
    await post(down, clock.now())
    await pass(5 * minute)
    expect(outbox.notifications.map(({ status }) => status)).toEqual(['firing', 'resolved'])
  })

  it('is notified even if the pager was unavailable for a moment', async () => {
    const { outbox, pass, post } = createService()
    outbox.answerNext({ outcome: 'retry', reason: 'serverError', detail: 'away' })
    await post(down)
    await pass(10 * second)
    expect(outbox.notifications).toEqual([])
    await pass(second)
    expect(outbox.notifications).toHaveLength(1)
  })
})

describe('the notification', () => {
  it('names the alert and its cluster', async () => {
    // Without the outbox: this renders what the integrations of the file would send, and sends nothing.
    const alerts = createAlerts({ storage: createMemoryStorage(), config })
    const sample = { alerts: [{ labels: down }] }
    const shown = await renderNotification(alerts, 'database-on-call', sample)
    expect(shown.map(({ requests }) => JSON.parse(requests[0]?.body ?? ''))).toEqual([
      { title: 'Down in a', count: 1 },
    ])
  })

  it('fits into the subject of a mail', async () => {
    const { outbox, pass, post } = createService()
    await post(slow)
    await pass(30 * second)
    const [mail] = outbox.notifications
    expect(mail?.receiver).toBe('database')
    expect(mail?.text('{{ template "email.default.subject" . }}')).toBe(
      '[FIRING:1] SlowQuery (database)',
    )
  })
})
