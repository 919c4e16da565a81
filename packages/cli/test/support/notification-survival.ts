import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isWide } from '../../../../test-support/lane.ts'
import { createRandom } from '../../../../test-support/random.ts'
import { jsonPost, send } from './http.ts'
import {
  explainRepetitions,
  lastNotified,
  repetitionsIn,
  untilTakenOver,
} from './notified-groups.ts'
import { until } from './poll.ts'
import { type Server, startGatehouse, temporaryFolder } from './server.ts'
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts'

const kills = isWide ? 5 : 3
const groupsPerRound = 50

const configFor = (url: string): string => `
route:
  receiver: team
  group_by: [group]
  group_wait: 100ms
  group_interval: 1s
  repeat_interval: 1h
receivers: [ { name: team, webhook_configs: [ { url: '${url}' } ] } ]
`

const groupKey = (group: string): string => `{}:{group="${group}"}`

/** The acknowledged state of each alert, by group and name: `firing` or `resolved`. */
class Posted {
  readonly #groups: Map<string, Map<string, string>> = new Map()

  /** Posts one alert to each of some groups. */
  async post(
    { port }: Server,
    groups: readonly string[],
    name: string,
    status: 'firing' | 'resolved',
  ): Promise<void> {
    if (groups.length === 0) return
    const endsAt = new Date(Date.now() + (status === 'firing' ? 3_600_000 : -1)).toISOString()
    const alerts = groups.map((group) => ({
      labels: { alertname: name, group },
      ...(status === 'firing' ? {} : { startsAt: new Date(Date.now() - 60_000).toISOString() }),
      endsAt,
    }))
    expect((await send(port, jsonPost('/api/v2/alerts', alerts))).status).toBe(200)
    for (const group of groups) {
      const known = this.#groups.get(groupKey(group)) ?? new Map()
      this.#groups.set(groupKey(group), known.set(name, status))
    }
  }

  /** Alerts whose last notification is missing or has another status. */
  unnotified({ received }: WebhookReceiver): readonly string[] {
    const notified = lastNotified(received)
    return [...this.#groups].flatMap(([key, alerts]) =>
      [...alerts].flatMap(([name, status]) =>
        notified.get(key)?.get(name) === status ? [] : [`${key} ${name} ${status}`],
      ),
    )
  }
}

/** Kills a process again and again while it notifies, and starts it again on its file. */
export function describeSurvival(): void {
  let folder: string
  let receiver: WebhookReceiver
  let server: Server | undefined

  beforeAll(async () => {
    folder = await temporaryFolder()
    receiver = await startWebhookReceiver({ delayMs: 50 })
  })
  afterAll(async () => {
    server?.kill('SIGKILL')
    await server?.exited
    await receiver.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it(`arrive, and arrive once, whenever the process is killed: ${kills} times by SIGKILL`, {
    timeout: 120_000,
  }, async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const random = createRandom(seed)
    const config = configFor(receiver.url)
    const posted = new Posted()
    const killedAt: number[] = []
    const rounds: (readonly string[])[] = []

    const killSomeTime = async (killed: Server): Promise<void> => {
      const before = receiver.received.length
      const moment = performance.now() + random.next() * 1_500
      // Every other kill is in the middle of notifications, the rest at any time.
      const enough = random.pick([false, true])
        ? before + Math.ceil(random.next() * groupsPerRound)
        : Number.POSITIVE_INFINITY
      await until(
        'the moment has come',
        () => receiver.received.length >= enough || performance.now() >= moment || undefined,
        { everyMs: 1 },
      )
      killed.kill('SIGKILL')
      await killed.exited
      // A notification sent before the kill may arrive after it.
      killedAt.push(performance.now())
    }

    for (let round = 0; round < kills; round++) {
      server = await startGatehouse({ config, folder })
      const groups = Array.from({ length: groupsPerRound }, (_, i) => `${round}-${i}`)
      await posted.post(server, groups, 'first', 'firing')
      // Half of the groups do not change, so that a repeated notification shows.
      const changing = groups.filter((_, i) => i % 2 === 0)
      await posted.post(server, rounds.at(-1) ?? [], 'second', 'firing')
      await posted.post(server, rounds.at(-2) ?? [], 'first', 'resolved')
      rounds.push(changing)
      await killSomeTime(server)
    }

    server = await startGatehouse({ config, folder })
    await until(
      'all groups are notified',
      () => {
        const unnotified = posted.unnotified(receiver)
        if (unnotified.length === 0) return true
        throw new Error(`${unnotified.length} were not notified, such as ${unnotified[0]}`)
      },
      { withinMs: 30_000, everyMs: 100 },
    )
    await untilTakenOver(killedAt.at(-1) ?? 0)

    const { byKill, unexplained } = explainRepetitions(repetitionsIn(receiver.received), killedAt)
    const counts = byKill.map(({ length }) => length)
    console.log(
      `seed ${seed}: ${receiver.received.length} notifications, repeated after each kill: ${counts.join(', ')}`,
    )
    expect(unexplained).toEqual([])
    expect(posted.unnotified(receiver)).toEqual([])
    expect((await server.stop()).code).toBe(0)
  })
}
