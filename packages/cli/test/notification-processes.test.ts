import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isWide } from '../../../test-support/lane.ts'
import { dropDatabase } from '../../../test-support/postgres/postgres-database.ts'
import { describeWithPostgres, freshDatabase } from '../../../test-support/postgres/use-postgres.ts'
import { jsonPost, send } from './support/http.ts'
import { describeSurvival } from './support/notification-survival.ts'
import {
  explainRepetitions,
  lastNotified,
  repetitionsIn,
  untilTakenOver,
} from './support/notified-groups.ts'
import { startNotifyingApis } from './support/notifying-api.ts'
import { until } from './support/poll.ts'
import { type Server, temporaryFolder } from './support/server.ts'
import {
  type ReceivedWebhook,
  startWebhookReceiver,
  type WebhookReceiver,
} from './support/webhook-receiver.ts'

const groupCount = 100
/** How long the receiver takes to respond, so that some notifications are always in flight. */
const answerMs = 100
/** How long nothing more may arrive: a few ticks, and the delay until all processes see each other's changes. */
const quietMs = 2_000

type Status = 'firing' | 'resolved'

const numbered = (prefix: string): readonly string[] =>
  Array.from({ length: groupCount }, (_, i) => `${prefix}-${i}`)

const groupKeys = (groups: readonly string[]): readonly string[] =>
  groups.map((group) => `{}:{group="${group}"}`).sort()

const sortedKeys = (webhooks: readonly ReceivedWebhook[]): readonly string[] =>
  webhooks.map(({ body }) => body.groupKey).sort()

/** Posts an alert of each group to two processes at the same time, as a pair of Prometheus servers does. */
async function post(
  servers: readonly Server[],
  groups: readonly string[],
  name: string,
  status: Status,
): Promise<void> {
  const endsAt = new Date(Date.now() + (status === 'firing' ? 3_600_000 : -1)).toISOString()
  const startsAt = new Date(Date.now() - 60_000).toISOString()
  const statuses = await Promise.all(
    servers.flatMap((_, place) => {
      const alerts = groups
        .filter((_, index) => index % servers.length === place)
        .map((group) => ({
          labels: { alertname: name, group },
          ...(status === 'firing' ? {} : { startsAt }),
          endsAt,
        }))
      const pair = [servers[place], servers[(place + 1) % servers.length]]
      return pair.map(async (server) => {
        return (await send(server?.port ?? 0, jsonPost('/api/v2/alerts', alerts))).status
      })
    }),
  )
  expect(new Set(statuses)).toEqual(new Set([200]))
}

/** Waits until all groups were notified of this status of an alert. */
async function allNotified(
  { received }: WebhookReceiver,
  groups: readonly string[],
  expected: Readonly<Record<string, Status>>,
): Promise<void> {
  await until('all groups are notified', () => {
    const known = lastNotified(received)
    const missing = groupKeys(groups).filter((key) =>
      Object.entries(expected).some(([name, status]) => known.get(key)?.get(name) !== status),
    )
    if (missing.length === 0) return true
    throw new Error(`${missing.length} are missing, such as ${missing[0]}`)
  })
}

const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, quietMs))

interface Place {
  readonly storage: Readonly<Record<string, unknown>>
  remove(): Promise<void>
}

function describeProcesses(
  count: number,
  makePlace: () => Promise<Place>,
  { kills = true }: { readonly kills?: boolean } = {},
): void {
  let folder = ''
  let place: Place
  let receiver: WebhookReceiver
  let servers: readonly Server[] = []

  beforeAll(async () => {
    folder = await temporaryFolder()
    place = await makePlace()
    receiver = await startWebhookReceiver({ delayMs: answerMs })
    servers = await startNotifyingApis(count, {
      storage: place.storage,
      folder,
      url: receiver.url,
    })
  })
  afterAll(async () => {
    for (const server of servers) server.kill('SIGKILL')
    await Promise.all(servers.map(({ exited }) => exited))
    await receiver?.stop()
    await place?.remove()
    await rm(folder, { recursive: true, force: true })
  })

  /** The webhooks received while `work` runs. */
  const during = async (work: () => Promise<void>): Promise<readonly ReceivedWebhook[]> => {
    const before = receiver.received.length
    await work()
    return receiver.received.slice(before)
  }

  const notifiedBy = (webhooks: readonly ReceivedWebhook[]): readonly number[] =>
    servers.map((_, place) => webhooks.filter(({ path }) => path === `/${place}`).length)

  /** The process with the most unanswered notifications. */
  const busiest = (): Server | undefined => {
    const since = performance.now() - answerMs
    const waited = notifiedBy(receiver.received.filter(({ at }) => at > since))
    return servers[waited.indexOf(Math.max(...waited))]
  }

  it.sequential('notify each group once of a new alert, and once of its end', {
    timeout: 120_000,
  }, async () => {
    const groups = numbered('once')
    const first = await during(async () => {
      await post(servers, groups, 'one', 'firing')
      await allNotified(receiver, groups, { one: 'firing' })
      await quiet()
    })
    expect(sortedKeys(first)).toEqual(groupKeys(groups))
    const rest = await during(async () => {
      await post(servers, groups, 'one', 'resolved')
      await allNotified(receiver, groups, { one: 'resolved' })
      await quiet()
    })
    expect(sortedKeys(rest)).toEqual(groupKeys(groups))
    console.log(`notifications by process: ${notifiedBy([...first, ...rest]).join(', ')}`)
  })

  if (!kills) return
  it.sequential('lose nothing when one is killed while it notifies, and repeat only what it had in flight', {
    timeout: 120_000,
  }, async () => {
    const groups = numbered('killed')
    const before = receiver.received.length
    const killedAt: number[] = []
    const all = await during(async () => {
      const isHalfTold = () => receiver.received.length >= before + groupCount / 2 || undefined
      const kill = until('half of them are notified', isHalfTold, { everyMs: 1 }).then(async () => {
        const killed = busiest()
        killed?.kill('SIGKILL')
        await killed?.exited
        // A notification sent before the kill may arrive after it.
        killedAt.push(performance.now())
      })
      await post(servers, groups, 'one', 'firing')
      await kill
      await untilTakenOver(killedAt[0] ?? 0)
      await allNotified(receiver, groups, { one: 'firing' })
    })
    const repetitions = repetitionsIn(all)
    const { unexplained } = explainRepetitions(repetitions, killedAt)
    console.log(`${repetitions.length} of ${groupCount} groups were notified again after the kill`)
    expect(unexplained).toEqual([])
    expect(new Set(sortedKeys(all))).toEqual(new Set(groupKeys(groups)))
  })
}

// Beside each other, because all wait for claims to be taken over.
describe.concurrent(
  'the notifications of gatehouse alertmanager on a SQLite file',
  describeSurvival,
)

describe.concurrent('two processes of gatehouse api on one SQLite file', () => {
  const makePlace = async (): Promise<Place> => {
    const folder = await temporaryFolder()
    return {
      storage: { sqlite: join(folder, 'gatehouse.db') },
      remove: () => rm(folder, { recursive: true, force: true }),
    }
  }
  // Usually one process is killed among those on PostgreSQL, and a single one on a SQLite file.
  describeProcesses(2, makePlace, { kills: isWide })
})

describeWithPostgres(
  'three processes of gatehouse api on one PostgreSQL',
  () => {
    describeProcesses(3, async () => {
      const url = await freshDatabase()
      return { storage: { postgres: url, max_connections: 4 }, remove: () => dropDatabase(url) }
    })
  },
  { concurrent: true },
)
