import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jsonPost, send } from './support/http.ts'
import { lastNotified } from './support/notified-groups.ts'
import { startNotifyingApis } from './support/notifying-api.ts'
import { until } from './support/poll.ts'
import { type Server, temporaryFolder } from './support/server.ts'
import {
  type ReceivedWebhook,
  startWebhookReceiver,
  type WebhookReceiver,
} from './support/webhook-receiver.ts'

const groupCount = 53
/** Longer than the lease of a flush, so that the other process takes the flushes over. */
const stoppedMs = 30_000
/** Longer than a lease and an interval: the time in which something could still be sent. */
const settleMs = 20_000
const names = Array.from({ length: groupCount }, (_, index) => `g-${index}`)

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const isFiring = ({ body }: ReceivedWebhook): boolean => body.status === 'firing'
const nameIn = ({ body }: ReceivedWebhook): string => body.groupLabels.group ?? ''

/** Groups that wait for their response when the process is stopped. */
const slow: ReadonlySet<string> = new Set(names.slice(0, 10))

describe.each([
  {
    when: 'while it waits to repeat what was refused',
    answer: (webhook: ReceivedWebhook) => (isFiring(webhook) ? 503 : 200),
    delayMs: 0,
    isReached: (received: readonly ReceivedWebhook[]) => received.length > 4 * groupCount,
    underWay: new Set<string>(),
  },
  {
    when: 'while it waits for the responses of some groups',
    answer: () => 200,
    delayMs: (webhook: ReceivedWebhook) => (slow.has(nameIn(webhook)) ? 4_000 : 0),
    isReached: (received: readonly ReceivedWebhook[]) => received.length === groupCount,
    underWay: slow,
  },
])('a process that is stopped $when', ({ answer, delayMs, isReached, underWay }) => {
  let folder = ''
  let receiver: WebhookReceiver
  let servers: readonly Server[] = []
  beforeAll(async () => {
    folder = await temporaryFolder()
    receiver = await startWebhookReceiver({ answer, delayMs })
    const storage = { sqlite: join(folder, 'gatehouse.db') }
    servers = await startNotifyingApis(2, { storage, folder, url: receiver.url })
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    await receiver?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const post = async (server: Server | undefined, endsInMs: number): Promise<void> => {
    const startsAt = new Date(Date.now() - 60_000).toISOString()
    const endsAt = new Date(Date.now() + endsInMs).toISOString()
    const alerts = names.map((group) => ({
      labels: { alertname: 'Down', group },
      startsAt,
      endsAt,
    }))
    expect((await send(server?.port ?? 0, jsonPost('/api/v2/alerts', alerts))).status).toBe(200)
  }

  const stillFiring = (): readonly string[] => {
    const known = lastNotified(receiver.received)
    return names.filter((group) => known.get(`{}:{group="${group}"}`)?.get('Down') !== 'resolved')
  }

  it('repeats only what was under way, and leaves the receiver with the truth', async () => {
    const [one, other] = servers
    await post(one, 3_600_000)
    await until('notifications are sent', () => isReached(receiver.received) || undefined)
    // Responses that were sent are logged.
    await pause(200)
    const sender = receiver.received[0]?.path === '/1' ? other : one
    const rest = sender === one ? other : one
    sender?.kill('SIGSTOP')
    const stoppedAt = Date.now()
    try {
      await post(rest, -1)
      await pause(stoppedAt + stoppedMs - Date.now())
      expect(stillFiring()).toEqual([])
    } finally {
      sender?.kill('SIGCONT')
    }
    await pause(settleMs)
    expect(stillFiring()).toEqual([])
    const resolved = receiver.received.filter((webhook) => !isFiring(webhook)).map(nameIn)
    for (const group of names) {
      // The stopped process cannot know whether its notification arrived before the other one, so the state is sent once more.
      const most = underWay.has(group) ? 2 : 1
      expect(resolved.filter((one) => one === group).length, group).toBeLessThanOrEqual(most)
    }
  }, 180_000)
})
