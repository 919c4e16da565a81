import { createMemoryStorage } from '@gatehouse/store-memory'
import type { Collection, Storage, Write } from '../../storage/storage.ts'
import { createManualClock, type ManualClock } from '../../testing/manual-clock.ts'
import { listAlertHistory } from '../alerts/list-alert-history.ts'
import { postAlerts } from '../alerts/post-alerts.ts'
import type { AlertsContext } from '../context.ts'
import { type AlertsOptions, createAlerts } from '../create-alerts.ts'
import { type HistoryKeeper, startHistory } from './start-history.ts'

export const second: number = 1_000
export const minute: number = 60 * second
export const hour: number = 60 * minute
export const day: number = 24 * hour

const config = 'route: { receiver: team }\nreceivers: [ { name: team } ]'

/** One of several processes over one storage. */
export interface HistoryProcess {
  readonly alerts: AlertsContext
  readonly history: HistoryKeeper
  /** The messages it logged, with their levels. */
  readonly log: readonly string[]
  /** Posts an alert with this name that fires for this long, or ends now. */
  post(name: string, firesForMs: number, annotations?: Record<string, string>): Promise<void>
  /** Kills it without a trace: no timer of it fires again, and nothing it does reaches the storage. */
  crash(): void
}

/** Returns the error of a commit that shall fail. */
type Refusal = (writes: readonly Write[]) => Error | undefined

/** Options of {@link HistoryWorld.start}. */
export interface HistoryProcessOptions extends Partial<AlertsOptions> {
  /** Fails a commit before it is made. */
  refuse?: Refusal
  /** Fails a commit after it was made: its confirmation is lost. */
  loseAnswer?: Refusal
}

/** Processes over one storage, with one clock. */
export interface HistoryWorld {
  readonly clock: ManualClock
  start(options?: HistoryProcessOptions): HistoryProcess
  /** Lets time pass, second by second, with everything that follows from it. */
  pass(ms: number): Promise<void>
  /** The events of alerts, the oldest first, such as `12s firing a`. */
  events(of: HistoryProcess): Promise<string[]>
  /** Runs pending work that waits for nothing else. */
  settle(): Promise<void>
  /** Ends everything. */
  end(): Promise<void>
}

/** Options of {@link createHistoryWorld}. */
export interface HistoryWorldOptions {
  /** The storage of each process (default: one in memory that all share). */
  open?: (clock: ManualClock) => Storage
}

/** Creates a world in which nothing has happened. */
export function createHistoryWorld({ open }: HistoryWorldOptions = {}): HistoryWorld {
  const clock = createManualClock(Date.UTC(2026, 0, 2, 12))
  const startedAt = clock.now()
  const shared = open === undefined ? createMemoryStorage({ clock }) : undefined
  const alive = new Set<HistoryProcess>()
  const opened: Storage[] = []

  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 12; turn++) await new Promise((resolve) => setTimeout(resolve, 0))
  }

  return {
    clock,
    settle,

    start({ refuse = () => undefined, loseAnswer = () => undefined, ...options } = {}) {
      const storage = shared ?? open?.(clock)
      if (storage === undefined) throw new Error('there is no storage')
      opened.push(storage)
      const state = { isDead: false }
      const log: string[] = []
      const write = (level: string) => (_: object, message: string) => {
        log.push(`${level}: ${message}`)
      }
      const alerts = createAlerts({
        storage: guarded(
          storage,
          (writes) => (state.isDead ? new Error('the process is gone') : refuse(writes)),
          loseAnswer,
        ),
        clock: {
          now: clock.now,
          monotonic: clock.monotonic,
          setTimer: (ms, fire) => clock.setTimer(ms, () => state.isDead || fire()),
        },
        config,
        logger: {
          debug: write('debug'),
          info: write('info'),
          warn: write('warn'),
          error: write('error'),
        },
        ...options,
      })
      const process: HistoryProcess = {
        alerts,
        history: startHistory(alerts),
        log,
        post: (alertname, firesForMs, annotations = {}) =>
          postAlerts(alerts, [
            {
              labels: { alertname },
              annotations,
              startsAt: clock.now(),
              endsAt: clock.now() + firesForMs,
            },
          ]),
        crash() {
          state.isDead = true
          alive.delete(process)
        },
      }
      alive.add(process)
      return process
    },

    async pass(ms) {
      const end = clock.now() + ms
      await settle()
      while (clock.now() < end) {
        clock.advance(Math.min(second, end - clock.now()))
        for (const { history } of alive) await history.flush()
      }
    },

    async events({ alerts }) {
      const { items } = await listAlertHistory(alerts, { limit: 1_000 })
      return [...items].reverse().map(({ at, event, labels }) => {
        return `${(Date.parse(at) - startedAt) / second}s ${event} ${labels.alertname}`
      })
    },

    async end() {
      for (const { history } of alive) await history.stop()
      for (const storage of opened) await storage.close()
    },
  }
}

/** A storage that fails some commits. */
function guarded(storage: Storage, refuse: Refusal, loseAnswer: Refusal): Storage {
  return {
    get: (...query) => storage.get(...query),
    find: (...query) => storage.find(...query),
    changes: (...query) => storage.changes(...query),
    async commit(writes) {
      const refusal = refuse(writes)
      if (refusal !== undefined) throw refusal
      const versions = await storage.commit(writes)
      const loss = loseAnswer(writes)
      if (loss !== undefined) throw loss
      return versions
    },
    close: () => storage.close(),
  }
}

/** Whether a commit writes to a collection. */
export const touches = (writes: readonly Write[], { name }: Collection): boolean =>
  writes.some(({ collection }) => collection.name === name)
