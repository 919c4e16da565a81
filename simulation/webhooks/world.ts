import {
  cancelRun,
  createWebhooks,
  type Running,
  startWebhooks,
  updateWebhooksConfig,
  type WebhooksContext,
} from '@gatehouse/core'
import { closeWebhooks } from '@gatehouse/core/webhook'
import { createCluster, withEventLoop } from '../cluster.ts'
import type { Life, Machine } from '../machine.ts'
import type { World } from '../run.ts'
import { createAlertRuns } from './alert-runs.ts'
import { configOf, webhooks } from './config.ts'
import { createHosts, type Hosts } from './hosts.ts'
import { type DeliverEvent, planWebhooks, troubleMs, type WebhooksEvent } from './plan.ts'
import { checkWebhooks } from './properties.ts'
import { createSenders } from './senders.ts'
import { watchWebhooks } from './watch.ts'

/** Longer than the leases of a killed server last. */
const settleMs = 80_000
/** All runs must have ended by then. An idle process keeps nothing this long after its last run. */
const maxMs = 600_000
const idleMs = 20_000
/** The time between the deliveries that check that all is well again, and after the last one. */
const probeMs = 3_000
const lastMs = 25_000

/** Several processes that run commands for deliveries. */
export const webhooksWorld: World<WebhooksEvent> = {
  name: 'webhooks',
  plan: planWebhooks,
  run: (plan) =>
    withEventLoop(plan.seed, async (loop) => {
      let config: 0 | 1 = 0
      let hasOwn = plan.events.some(({ kind }) => kind === 'own runs')
      const started: Running[] = []
      const cluster = createCluster<WebhooksContext>(plan, {
        loop,
        boot(life, storage) {
          const service = createWebhooks({
            storage,
            logger: false,
            config: configOf(config, hasOwn),
            clock: life.clock,
            ids: life.ids,
            random: (size) =>
              Uint8Array.from({ length: size }, () => Math.floor(life.random() * 256)),
            runner: hosts.runnerOf(life),
            machine: hosts.viewOf(life),
          })
          started.push(startWebhooks(service))
          return service
        },
      })
      const { timeline, storage, machines, faults, draw, tell, ask } = cluster
      const senders = createSenders(cluster)
      const alertRuns = createAlertRuns(cluster)
      const hosts: Hosts = createHosts({
        timeline,
        random: draw('hosts'),
        isOne: plan.events.some(({ kind }) => kind === 'one host'),
        scriptOf: senders.scriptOf,
        onStart: (command) => watch.started(command),
        tell,
      })
      const watch = watchWebhooks({ timeline, storage, hosts: () => hosts, faults, tell })
      const operator = draw('operator')
      const closing = new Set<Life>()

      const cancel = (): void => {
        const runs = senders.sent.flatMap(({ answer }) =>
          answer && 'runId' in answer ? [answer] : [],
        )
        const machine = operator.pick(machines)
        const run = runs.at(-1)
        if (run === undefined || machine.life === undefined) return
        tell(`${machine.name}: gets a request to cancel ${run.runId}`)
        ask(machine, (service) => cancelRun(service, run.runId)).catch(() => {})
      }

      const reload = (next: 0 | 1): void => {
        config = next
        watch.loaded(next)
        tell(`configuration ${next} is loaded`)
        for (const { life, service } of cluster.services()) {
          if (life.isDead) continue
          // A process that is stopped meanwhile reads the configuration of that time when it continues.
          life.enter('reload', () => updateWebhooksConfig(service, configOf(config, hasOwn)))
        }
      }

      const restart = (machine: Machine | undefined): void => {
        const life = machine?.life
        if (machine === undefined || life === undefined || closing.has(life)) return
        closing.add(life)
        tell(`${machine.name}: gets SIGTERM`)
        void ask(machine, (service) => closeWebhooks(service, { graceMs: 3_000 })).then(() => {
          watch.closed(life)
          tell(`${machine.name}: has ended`)
          cluster.restart(machine, 500)
        })
      }

      const begin = (event: WebhooksEvent): void => {
        switch (event.kind) {
          case 'deliver':
            senders.deliver(event)
            break
          case 'alert':
            alertRuns.notify(event.nth)
            break
          case 'cancel':
            cancel()
            break
          case 'reload':
            reload(event.config)
            break
          case 'restart':
            restart(machines[event.machine % machines.length])
            break
          case 'cluster':
          case 'one host':
          case 'own runs':
            break
          default:
            cluster.schedule(event)
        }
      }
      const isOfCluster = ({ kind }: WebhooksEvent): boolean =>
        ['strike', 'storage', 'clock'].includes(kind)
      for (const event of plan.events) {
        if (isOfCluster(event)) begin(event)
        else timeline.schedule(event.at, event.kind, () => begin(event))
      }
      await cluster.runUntilHealed(troubleMs)
      await timeline.runUntil(troubleMs + settleMs)
      // Many runs may have waited in one queue.
      const isBusy = (): boolean =>
        [...watch.runs.values()].some(({ finalAt }) => finalAt === undefined)
      while (isBusy() && timeline.now < maxMs) await timeline.runUntil(timeline.now + idleMs)
      const probes: DeliverEvent[] = []
      const used = new Set(senders.sent.map(({ event }) => event.webhook))
      for (const { id: webhook, rate } of webhooks.filter(({ id }) => used.has(id))) {
        const probe = (machine: Machine): DeliverEvent => {
          const key = 1_000 + senders.sent.length
          const job = { takesMs: 100, exitCode: 0, isStubborn: false }
          const event = { kind: 'deliver', at: timeline.now, webhook, key, ...job } as const
          senders.deliver(event, machine)
          return event
        }
        if (rate !== undefined) {
          // A clock that was ahead may have left a bucket that starts to refill with the first delivery.
          machines.slice(0, 1).forEach(probe)
          // Tokens counted by a clock that was ahead may take twice the period to come back.
          await timeline.runUntil(timeline.now + 2 * rate.per)
        }
        for (const machine of machines) {
          probes.push(probe(machine))
          await timeline.runUntil(timeline.now + probeMs)
        }
      }
      await timeline.runUntil(timeline.now + lastMs)
      const hadOwn = hasOwn
      const quietAt = timeline.now
      if (hasOwn) {
        // An idle process keeps nothing, so the schedule must end.
        hasOwn = false
        reload(config)
        await timeline.runUntil(timeline.now + 2 * lastMs)
      }
      const services = [...cluster.services()]
      const failures = await checkWebhooks({
        watch,
        senders,
        alertRuns,
        hosts,
        faults,
        machines,
        services,
        closing,
        storage: storage.raw,
        probes,
        quietAt: hadOwn ? quietAt : undefined,
      })
      for (const running of started) void running.stop()
      return { failures, hash: timeline.hash, steps: timeline.steps, story: cluster.story }
    }),
}
