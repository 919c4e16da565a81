import { createMemoryStorage } from '@gatehouse/store-memory'
import { type Storage, storageUnavailable } from '../../storage/storage.ts'
import { createManualClock, type ManualClock } from '../../testing/manual-clock.ts'
import { postAlerts } from '../alerts/post-alerts.ts'
import type { AlertsConfigInput } from '../config/config-input.ts'
import type { AlertsContext } from '../context.ts'
import { createAlerts } from '../create-alerts.ts'
import type { NotificationDecision } from '../dispatch/log/decision.ts'
import type { Notification } from '../notification/notification.ts'
import type { Notifier, NotifyResult } from '../receivers/notifier.ts'
import { type Dispatcher, type DispatcherOptions, startDispatcher } from './start-dispatcher.ts'

/** A configuration with one receiver, which tests notify. */
export const teamConfig = `
route:
  receiver: team
  group_by: [alertname]
  group_wait: 30s
  group_interval: 5m
  repeat_interval: 4h
receivers:
- name: team
`

/** A notification that a receiver got. */
export interface SentNotification {
  /** Seconds since the start. */
  readonly at: number
  readonly receiver: string
  readonly groupKey: string
  readonly reason: string
  readonly status: string
  /** Name, number and state of each, such as `A/1 firing`. */
  readonly alerts: readonly string[]
  /** The process that sent it. */
  readonly by: string
}

/** How a process reaches the storage. `unanswered`: its commits are made, but it gets no confirmation. */
export type Connection = 'there' | 'away' | 'unanswered'

/** One of several processes over one storage. */
export interface DispatchProcess {
  readonly alerts: AlertsContext
  readonly dispatcher: Dispatcher
  readonly decisions: readonly NotificationDecision[]
  /** Changes how it reaches the storage from now on. */
  reach(connection: Connection): void
  /** Suspends it, as SIGSTOP does: no timer of it fires and it gets no response until it resumes. */
  suspend(): void
  /** Resumes it, with everything that has arrived meanwhile. */
  resume(): void
  /** Sets how far its clock is ahead of the storage's clock. */
  setClockAhead(ms: number): void
  /** Kills it without a trace: no timer of it fires again, and nothing it does reaches the storage. */
  crash(): void
}

/** Options of {@link DispatchWorld.start}. */
export interface ProcessSettings extends DispatcherOptions {
  name?: string
  /** The retention of the service, in ms (default: the service's own). */
  retentionMs?: number
  config?: AlertsConfigInput
  /** How far its clock is ahead of the storage's clock, in ms (default 0). */
  clockAheadMs?: number
  /** Names of the receivers with a notifier in code (default `team`). */
  receivers?: readonly string[]
}

/** Processes over one storage in memory, with the notifications they send. */
export interface DispatchWorld {
  readonly clock: ManualClock
  readonly storage: Storage
  readonly notifications: SentNotification[]
  /** The results of notifications, in order; `sent` when none are left. They may wait. */
  readonly answers: ((notification: Notification) => NotifyResult | Promise<NotifyResult>)[]
  start(settings?: ProcessSettings): DispatchProcess
  /** Lets time pass, a quarter of a second at a time, with everything that follows from it. */
  pass(seconds: number): Promise<void>
  /** Posts alerts with these names and with numbers, which fire for this many seconds. */
  post(on: DispatchProcess, names: readonly string[], seconds?: number): Promise<void>
  /** Ends everything. */
  end(): Promise<void>
}

/** Creates a world in which nothing has happened. Each process opens its storage; by default they share one in memory. */
export function createDispatchWorld(open?: (clock: ManualClock) => Storage): DispatchWorld {
  const clock = createManualClock()
  const startedAt = clock.monotonic()
  const storage = open?.(clock) ?? createMemoryStorage({ clock })
  const notifications: SentNotification[] = []
  const answers: DispatchWorld['answers'] = []
  const alive = new Set<DispatchProcess>()
  const suspended = new Set<DispatchProcess>()

  const notifierOf = (by: string, link: Link): Notifier => ({
    name: 'test',
    async notify(notification) {
      const { receiver, groupKey, reason, status, alerts } = notification
      const names = alerts.map((one) => `${one.labels.alertname}/${one.labels.i} ${one.status}`)
      const at = (clock.monotonic() - startedAt) / 1_000
      notifications.push({ at, receiver, groupKey, reason, status, alerts: names, by })
      const answer = await answers.shift()?.(notification)
      await link.asleep
      return answer ?? { outcome: 'sent' }
    },
  })

  const settled = async (): Promise<void> => {
    for (const process of alive) {
      if (!suspended.has(process)) await process.dispatcher.settled()
    }
  }

  return {
    clock,
    storage,
    notifications,
    answers,

    start({
      name = 'one',
      config = teamConfig,
      receivers = ['team'],
      clockAheadMs = 0,
      retentionMs,
      ...options
    } = {}) {
      const link: Link = { isDead: false, connection: 'there', aheadMs: clockAheadMs }
      let wake = (): void => {}
      const decisions: NotificationDecision[] = []
      const notifiers = Object.fromEntries(receivers.map((one) => [one, [notifierOf(name, link)]]))
      const alerts = createAlerts({
        storage: linked(open?.(clock) ?? storage, link),
        clock: {
          now: () => clock.now() + link.aheadMs,
          monotonic: clock.monotonic,
          setTimer: (ms, fire) =>
            clock.setTimer(ms, () => {
              if (link.asleep !== undefined) void link.asleep.then(() => link.isDead || fire())
              else if (!link.isDead) fire()
            }),
        },
        config,
        notifiers,
        ...(retentionMs === undefined ? {} : { retentionMs }),
      })
      alerts.dispatch.onDecision((decision) => decisions.push(decision))
      const dispatcher = startDispatcher(alerts, { random: () => 0.5, ...options })
      const process: DispatchProcess = {
        alerts,
        dispatcher,
        decisions,
        reach(connection) {
          link.connection = connection
        },
        suspend() {
          suspended.add(process)
          link.asleep = new Promise((resolve) => (wake = resolve))
        },
        resume() {
          suspended.delete(process)
          link.asleep = undefined
          wake()
        },
        setClockAhead(ms) {
          link.aheadMs = ms
        },
        crash() {
          link.isDead = true
          alive.delete(process)
        },
      }
      alive.add(process)
      return process
    },

    async pass(seconds) {
      await settled()
      for (let quarter = 0; quarter < 4 * seconds; quarter++) {
        clock.advance(250)
        await settled()
      }
    },

    post: (on, names, seconds = 100_000) =>
      postAlerts(
        on.alerts,
        names.map((name) => {
          const [alertname = '', i = ''] = name.split('/')
          const now = clock.now()
          return { labels: { alertname, i }, startsAt: now, endsAt: now + seconds * 1_000 }
        }),
      ),

    async end() {
      for (const { dispatcher } of alive) await dispatcher.stop()
    },
  }
}

/** The connection between a process and the storage. */
interface Link {
  isDead: boolean
  connection: Connection
  aheadMs: number
  /** Resolves when the process resumes. */
  asleep?: Promise<void> | undefined
}

const never = new Promise<never>(() => {})

/** A storage that can become unavailable, and never responds again once its process is dead. */
function linked(storage: Storage, link: Readonly<Link>): Storage {
  const away = (): Error => storageUnavailable('the storage is away')
  const through = async <T>(work: () => Promise<T>): Promise<T> => {
    await link.asleep
    if (link.isDead) return never
    if (link.connection === 'away') throw away()
    const answer = await work()
    await link.asleep
    return answer
  }
  return {
    get: (...query) => through(() => storage.get(...query)),
    find: (...query) => through(() => storage.find(...query)),
    changes: (...query) => through(() => storage.changes(...query)),
    commit: (writes) =>
      through(async () => {
        const versions = await storage.commit(writes)
        if (link.connection === 'unanswered') throw away()
        return versions
      }),
    close: () => storage.close(),
  }
}
