import { createMemoryStorage } from '@gatehouse/store-memory'
import { afterEach, describe, expect, it } from 'vitest'
import { GatehouseError } from '../../errors.ts'
import type { Storage } from '../../storage/storage.ts'
import { createManualClock } from '../../testing/manual-clock.ts'
import { listAlerts } from '../alerts/list-alerts.ts'
import { postAlerts } from '../alerts/post-alerts.ts'
import { createAlerts } from '../create-alerts.ts'
import { teamConfig } from './start-dispatcher.fixture.ts'
import { type Dispatcher, startDispatcher } from './start-dispatcher.ts'

let running: Dispatcher | undefined
afterEach(() => running?.stop())

function setUp() {
  const clock = createManualClock()
  const below = createMemoryStorage({ clock })
  const sent: string[] = []
  const lines: string[] = []
  let isFull = false
  const refuse = () =>
    Promise.reject(new GatehouseError('ServiceUnavailable', 'StorageFull', 'the disk is full'))
  const storage: Storage = {
    ...below,
    commit: (writes) => (isFull ? refuse() : below.commit(writes)),
  }
  const note = (_: object, message: string): void => void lines.push(message)
  const start = () => {
    const alerts = createAlerts({
      storage,
      clock,
      config: teamConfig,
      logger: { debug: () => {}, info: note, warn: note, error: note },
      notifiers: {
        team: [
          {
            name: 'test',
            async notify({ alerts: all }) {
              sent.push(all.map(({ labels, status }) => `${labels.alertname} ${status}`).join())
              return { outcome: 'sent' }
            },
          },
        ],
      },
    })
    running = startDispatcher(alerts, { random: () => 0.5 })
    return { alerts, dispatcher: running }
  }
  const pass = async (dispatcher: Dispatcher, seconds: number): Promise<void> => {
    await dispatcher.settled()
    for (let second = 0; second < seconds; second++) {
      clock.advance(1_000)
      await dispatcher.settled()
    }
  }
  const post = (alerts: ReturnType<typeof start>['alerts'], name: string, forSeconds: number) =>
    postAlerts(alerts, [{ labels: { alertname: name }, endsAt: clock.now() + forSeconds * 1_000 }])
  const become = (next: boolean): void => {
    isFull = next
  }
  return { sent, lines, start, pass, post, become }
}

describe('on a full disk', () => {
  it('notifications continue from memory, once each, and are stored when there is space again', async () => {
    const { sent, lines, start, pass, post, become } = setUp()
    const { alerts, dispatcher } = start()
    await post(alerts, 'late', 100_000)
    await post(alerts, 'short', 600)
    become(true)
    await pass(dispatcher, 30)
    expect(sent.sort()).toEqual(['late firing', 'short firing'])
    await pass(dispatcher, 15 * 60)
    expect(sent).toEqual(['late firing', 'short firing', 'short resolved'])
    expect((await listAlerts(alerts)).map(({ labels }) => labels.alertname)).toEqual(['late'])
    await expect(post(alerts, 'new', 60)).rejects.toMatchObject({ reason: 'StorageFull' })
    const shown = async (): Promise<string | undefined> =>
      /^gatehouse_alerts_dispatch_in_memory .*$/m.exec(
        (await alerts.metrics.expose(null)).body,
      )?.[0]
    expect(lines).toEqual([
      'the storage refuses writes: notifications go on from memory, and may be sent again after a restart',
    ])
    expect(await shown()).toMatch(/ [1-9]\d*$/)

    become(false)
    await pass(dispatcher, 10 * 60)
    expect(await shown()).toMatch(/ 0$/)
    expect(lines).toContain('the storage accepts writes again: notifications are stored')
    await dispatcher.stop()
    const next = start()
    await pass(next.dispatcher, 10 * 60)
    expect(sent).toHaveLength(3)
  })

  it('a process that starts then notifies about the alerts it can read', async () => {
    const { sent, start, pass, post, become } = setUp()
    const first = start()
    await post(first.alerts, 'disk', 100_000)
    await pass(first.dispatcher, 1)
    await first.dispatcher.stop()
    become(true)
    const second = start()
    await pass(second.dispatcher, 60)
    expect(sent).toEqual(['disk firing'])
  })
})
