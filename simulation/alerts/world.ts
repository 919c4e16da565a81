import {
  type AlertsContext,
  createAlerts,
  createSilence,
  expireSilence,
  postAlerts,
  startDispatcher,
  startMaintenance,
  updateAlertsConfig,
} from '@gatehouse/core/alerts'
import { createCluster, withEventLoop } from '../cluster.ts'
import { epoch } from '../machine.ts'
import type { World } from '../run.ts'
import { configsOf } from './config.ts'
import { type AlertsEvent, planAlerts, troubleMs } from './plan.ts'
import { createPrometheus } from './prometheus.ts'
import { checkAlerts } from './properties.ts'
import { createReceivers, type Receivers } from './receivers.ts'
import { nameOf, watchAlerts } from './watch.ts'

/** How long after the last fault everything must be in order again. */
const settleMs = 150_000

/** Several processes that notify receivers of firing and resolved alerts. */
export const alertsWorld: World<AlertsEvent> = {
  name: 'alerts',
  plan: planAlerts,
  run: (plan) =>
    withEventLoop(plan.seed, async (loop) => {
      const configs = configsOf(plan.events.some(({ kind }) => kind === 'limit'))
      let config = configs[0]
      const cluster = createCluster<AlertsContext>(plan, {
        loop,
        boot(life, storage) {
          const { clock, ids } = life
          const notifiers: Parameters<typeof createAlerts>[0]['notifiers'] = (receiver) =>
            receivers.notifiersOf(life, receiver)
          const alerts = createAlerts({
            storage,
            clock,
            ids,
            notifiers,
            config: config.text,
            logger: false,
          })
          startDispatcher(alerts, { random: life.random })
          startMaintenance(alerts)
          return alerts
        },
      })
      const { timeline, storage, machines, faults, draw, tell, ask } = cluster
      const receivers: Receivers = createReceivers({ timeline, random: draw('receivers'), tell })
      const prometheus = createPrometheus({
        timeline,
        random: draw('prometheus'),
        machines,
        post: (machine, states) => ask(machine, (alerts) => postAlerts(alerts, states)),
        acked: (alert, state) => watch.acked(alert, state),
      })
      const watch = watchAlerts({ timeline, storage, receivers, prometheus, faults })
      const client = draw('client')

      const silence = async (event: Extract<AlertsEvent, { kind: 'silence' }>): Promise<void> => {
        const { alertname, forMs, expiresAfterMs } = event
        const entry = watch.silenced(alertname, timeline.now, timeline.now + forMs)
        tell(`${alertname} is silenced for ${forMs / 1_000} s`)
        const startsAt = epoch + timeline.now
        const posted = {
          matchers: [{ name: 'alertname', value: alertname, isRegex: false }],
          startsAt,
          endsAt: startsAt + forMs,
          createdBy: 'me',
          comment: 'x',
        }
        const id = await ask(client.pick(machines), (alerts) =>
          createSilence(alerts, posted),
        ).catch(() => undefined)
        if (expiresAfterMs === undefined || id === undefined) return
        timeline.schedule(expiresAfterMs, 'expire', () => {
          tell(`the silence of ${alertname} is expired`)
          void ask(client.pick(machines), (alerts) => expireSilence(alerts, id)).then(
            () => {
              entry.expiredAt = timeline.now
            },
            () => {},
          )
        })
      }

      const begin = (event: AlertsEvent): void => {
        switch (event.kind) {
          case 'alert':
            prometheus.set(event.alert, event.fires)
            tell(`${nameOf(event.alert)} ${event.fires ? 'fires' : 'is resolved'}`)
            break
          case 'receiver':
            receivers.mood = event.mood
            receivers.only = event.only
            tell(`receivers ${event.only ?? ''}: ${event.mood} for ${event.forMs / 1_000} s`)
            timeline.schedule(event.forMs, 'receivers', () => {
              receivers.mood = 'fine'
            })
            break
          case 'reload':
            config = configs[event.config] ?? config
            watch.reloaded()
            tell(`configuration ${event.config} is loaded`)
            for (const { life, service } of cluster.services()) {
              if (!life.isDead) life.enter('reload', () => updateAlertsConfig(service, config.text))
            }
            break
          case 'silence':
            void silence(event)
            break
          case 'cluster':
          case 'limit':
            break
          default:
            cluster.schedule(event)
        }
      }
      const isOfCluster = ({ kind }: AlertsEvent): boolean =>
        ['strike', 'storage', 'clock'].includes(kind)
      for (const event of plan.events) {
        if (isOfCluster(event)) begin(event)
        else timeline.schedule(event.at, event.kind, () => begin(event))
      }
      prometheus.start()
      await cluster.runUntilHealed(troubleMs)
      receivers.mood = 'fine'
      await timeline.runUntil(troubleMs + settleMs)
      prometheus.stop()
      const failures = checkAlerts({ watch, config, machines, now: timeline.now })
      return { failures, hash: timeline.hash, steps: timeline.steps, story: cluster.story }
    }),
}
