import type { MetricsRegistry } from '../../metrics/metrics.ts'
import type { Instant } from '../../time/clock.ts'
import type { StoredAlert } from '../alert/alert.ts'
import type { StoredSilence } from '../silence/silence.ts'
import { type DispatchMetrics, registerDispatchMetrics } from './dispatch-metrics.ts'
import type { NotificationDecision } from './log/decision.ts'

/** What a request made of an alert. */
export interface AlertChange {
  readonly fingerprint: string
  /** As it was stored; `undefined` if it was not. */
  readonly before: StoredAlert | undefined
  readonly after: StoredAlert
}

/** What a request made of a silence. */
export interface SilenceChange {
  readonly id: string
  /** As it was stored; `undefined` if it was not. */
  readonly before: StoredSilence | undefined
  readonly after: StoredSilence
  /** Who asked for it, if the request says so. */
  readonly by: string | undefined
}

/** What the parts of the service have to do with a dispatcher and a history, whether or not they run. */
export interface DispatchHooks {
  readonly metrics: DispatchMetrics
  /** Something was stored by this process, or another configuration runs. */
  wake(): void
  /** Calls `woken` for every {@link DispatchHooks.wake}; the answer ends that. */
  onWake(woken: () => void): () => void
  /** Passes a decision on to those who keep decisions. */
  decided(decision: NotificationDecision): void
  /** Calls `keep` for every decision; the answer ends that. */
  onDecision(keep: (decision: NotificationDecision) => void): () => void
  /** Whether anybody asks what becomes of alerts: if not, nobody has to find out. */
  readonly followsAlerts: boolean
  /** Passes on what one request made of alerts, once that is stored. */
  alertsChanged(changes: readonly AlertChange[], now: Instant): void
  /** Calls `follow` for every {@link DispatchHooks.alertsChanged}; the answer ends that. */
  onAlertsChanged(follow: (changes: readonly AlertChange[], now: Instant) => void): () => void
  /** Passes on what one request made of a silence, once that is stored. */
  silenceChanged(change: SilenceChange, now: Instant): void
  /** Calls `follow` for every {@link DispatchHooks.silenceChanged}; the answer ends that. */
  onSilenceChanged(follow: (change: SilenceChange, now: Instant) => void): () => void
}

/** Hooks nobody hangs on yet. */
export function createDispatchHooks(metrics: MetricsRegistry): DispatchHooks {
  const sleepers = new Set<() => void>()
  const keepers = new Set<(decision: NotificationDecision) => void>()
  const alertFollowers = new Set<(changes: readonly AlertChange[], now: Instant) => void>()
  const silenceFollowers = new Set<(change: SilenceChange, now: Instant) => void>()
  return {
    metrics: registerDispatchMetrics(metrics),
    wake() {
      for (const woken of sleepers) woken()
    },
    onWake: (woken) => join(sleepers, woken),
    decided(decision) {
      for (const keep of keepers) keep(decision)
    },
    onDecision: (keep) => join(keepers, keep),
    get followsAlerts() {
      return alertFollowers.size > 0
    },
    alertsChanged(changes, now) {
      for (const follow of alertFollowers) follow(changes, now)
    },
    onAlertsChanged: (follow) => join(alertFollowers, follow),
    silenceChanged(change, now) {
      for (const follow of silenceFollowers) follow(change, now)
    },
    onSilenceChanged: (follow) => join(silenceFollowers, follow),
  }
}

function join<T>(all: Set<T>, one: T): () => void {
  all.add(one)
  return () => all.delete(one)
}
