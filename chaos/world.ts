import { mkdir, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { launchConfig } from '../packages/cli/test/support/api-server.ts'
import { send } from '../packages/cli/test/support/http.ts'
import { repetitionsIn } from '../packages/cli/test/support/notified-groups.ts'
import { until } from '../packages/cli/test/support/poll.ts'
import { type Server, temporaryFolder, whenReady } from '../packages/cli/test/support/server.ts'
import { integrityOf } from '../packages/cli/test/support/sqlite-file.ts'
import {
  type ReceivedWebhook,
  startWebhookReceiver,
} from '../packages/cli/test/support/webhook-receiver.ts'
import { webhooksSection } from '../packages/cli/test/support/webhook-server.ts'
import { createRandom, seedOf } from '../test-support/random.ts'
import { type Ask, createAlertClients } from './alerts.ts'
import type { Action, Fault, Plan } from './plan.ts'
import { startProcesses } from './processes.ts'
import { createRunClients, webhooks } from './runs.ts'
import { createStory, type Story } from './story.ts'

/** Where the processes of a world keep their records. */
export interface Place {
  /** The section `storage` of the configuration. */
  readonly storage: Readonly<Record<string, unknown>>
  remove(): Promise<void>
}

/** Makes a {@link Place}, which may keep files in the folder. */
export type MakePlace = (folder: string) => Promise<Place>

/** The result of a world. */
export interface WorldResult {
  readonly story: Story
  readonly counts: Readonly<Record<string, number>>
  /** The files of the processes, kept if something failed. */
  readonly folder: string
}

/**
 * How long settling may take once the faults are over: claims of killed processes are taken over after 15 s, and runs end within
 * seconds. The rest is for a busy machine.
 */
const settleWithinMs = 120_000
const settling = { withinMs: settleWithinMs, everyMs: 100 }

const configOf = (url: string, folder: string, { storage }: Place): object => ({
  host: '127.0.0.1',
  port: 0,
  storage,
  shutdown_grace: '1s',
  alerts: {
    config: {
      route: {
        receiver: 'team',
        group_by: ['group'],
        group_wait: '100ms',
        group_interval: '300ms',
        repeat_interval: '1h',
      },
      receivers: [{ name: 'team', webhook_configs: [{ url }] }],
    },
  },
  ...webhooksSection(webhooks, folder),
})

/** Plays a plan with real processes, and checks what must hold. */
export async function playWorld(plan: Plan, makePlace: MakePlace): Promise<WorldResult> {
  const story = createStory()
  const folder = await temporaryFolder()
  const place = await makePlace(folder)
  const commands = join(folder, 'commands')
  await mkdir(commands)
  const receiver = await startReceiver(plan.seed)
  const config = configOf(receiver.url, commands, place)
  const launch = async (): Promise<Server> => {
    const server = await launchConfig(config, { folder })
    await whenReady(server)
    return server
  }
  const processes = await startProcesses({ count: plan.processes, launch, story })
  const agent = new Agent({ keepAlive: true })
  const random = createRandom(seedOf(plan.seed, 'clients'))
  const ask: Ask = async (raw) => {
    const up = processes.up()
    if (up.length === 0) return undefined
    const answer = await send(random.pick(up).port, raw, agent).catch(() => undefined)
    return answer?.status === 0 ? undefined : answer
  }
  const alerts = createAlertClients({ ask, story })
  const runs = createRunClients({ ask, story, folder: commands })
  receiver.onArrival = alerts.heard

  const act = (action: Action): void => {
    if (action.kind === 'post') alerts.post(action.group, action.name, action.fires)
    else if (action.kind === 'silence') alerts.silence(action.group, action.forMs)
    else runs.run(action.webhook)
  }
  const begin = async (action: Action): Promise<void> => {
    await sleep(action.at)
    act(action)
  }
  /** Faults that last beyond their round, such as long stops. */
  const long: Promise<void>[] = []
  const strike = async (fault: Fault): Promise<void> => {
    await sleep(fault.at)
    if (fault.duringNotification) await receiver.hasOneInHand(1_000)
    const over = processes.strike(fault)
    if (fault.forMs < 2_000) return over
    long.push(over)
  }

  const settle = async (): Promise<void> => {
    await Promise.all(long)
    processes.resume()
    receiver.calmDown()
    await alerts.settled()
    await runs.settled()
    await until(
      'the last message of each group is the truth',
      () => {
        const untrue = alerts.untrue(receiver.accepted)
        if (untrue.length === 0) return true
        throw new Error(untrue.join(', '))
      },
      settling,
    )
    const [first] = processes.up()
    await until(
      'all runs have ended',
      async () => (await runs.look(first?.port ?? 0)) || undefined,
      settling,
    )
    for (const { port } of processes.up()) {
      const check = async (): Promise<true> => {
        await alerts.ledger.verify(port)
        return true
      }
      await until('each process has what was acknowledged', check, settling)
    }
    await runs.check()
    await processes.end()
    for (const untrue of alerts.untrue(receiver.accepted)) {
      story.fail('the last message is the truth', untrue)
    }
    if ('sqlite' in place.storage) {
      for (const [file, state] of Object.entries(await integrityOf(folder))) {
        if (state !== 'ok') story.fail('the database is whole', `${file}: ${state}`)
      }
    }
  }

  try {
    for (const round of plan.rounds) {
      await Promise.all([...round.actions.map(begin), ...round.faults.map(strike)])
      const [one] = processes.up()
      // The process may be stopped or killed meanwhile.
      if (one !== undefined) await runs.look(one.port).catch(() => {})
    }
    await settle()
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? `: ${error.cause}` : ''
    story.fail('everything settles after the faults', `${error}${cause}`)
  }
  await processes.kill()
  agent.destroy()
  await receiver.stop()
  await place.remove()
  if (story.failures.length === 0) await rm(folder, { recursive: true, force: true })
  const counts = {
    ...processes.counts(),
    notifications: receiver.accepted.length,
    repeated: repetitionsIn(receiver.accepted).length,
    runs: runs.accepted(),
  }
  return { story, counts, folder }
}

/** A receiver that is slow and fails at times, until it calms down. */
interface Receiver {
  readonly url: string
  /** The accepted notifications in order of arrival. */
  readonly accepted: readonly ReceivedWebhook[]
  /** Called with each notification that arrives. */
  onArrival: (webhook: ReceivedWebhook) => void
  /** Resolves when a slow notification arrives, or after this time. */
  hasOneInHand(withinMs: number): Promise<void>
  calmDown(): void
  stop(): Promise<void>
}

async function startReceiver(seed: number): Promise<Receiver> {
  const random = createRandom(seedOf(seed, 'receiver'))
  const accepted: ReceivedWebhook[] = []
  const waiting = new Set<() => void>()
  let isCalm = false
  const { url, stop } = await startWebhookReceiver({
    delayMs(webhook) {
      receiver.onArrival(webhook)
      const ms = isCalm ? 0 : random.pick([0, 0, 20, 100, 300, 2_000])
      if (ms > 0) for (const go of waiting) go()
      return ms
    },
    answer(webhook) {
      if (!isCalm && random.chance(0.15)) return random.pick([500, 502, 503])
      accepted.push(webhook)
      accepted.sort((a, b) => a.at - b.at)
      return 200
    },
  })
  const receiver: Receiver = {
    url,
    accepted,
    stop,
    onArrival: () => {},
    hasOneInHand: (withinMs) =>
      new Promise((resolve) => {
        const go = (): void => {
          waiting.delete(go)
          clearTimeout(timer)
          resolve()
        }
        const timer = setTimeout(go, withinMs)
        waiting.add(go)
      }),
    calmDown() {
      isCalm = true
    },
  }
  return receiver
}
