import type { MetricsRegistry } from '../../metrics/metrics.ts'
import type { Instant } from '../../time/clock.ts'
import type { StoredAlert } from '../alert/alert.ts'
import type { StoredSilence } from '../silence/silence.ts'
import {
  type DispatchMetrics,
  type MetricLabel,
  registerDispatchMetrics,
} from './dispatch-metrics.ts'
import type { NotificationDecision } from './log/decision.ts'

/** A change of an alert by a request. */
export interface AlertChange {
  readonly fingerprint: string
  /** The stored alert before; `undefined` if there was none. */
  readonly before: StoredAlert | undefined
  readonly after: StoredAlert
  /** The user who requested it, if the request names one. */
  readonly by?: string | undefined
}

/** A change of a silence by a request. */
export interface SilenceChange {
  readonly id: string
  /** The stored silence before; `undefined` if there was none. */
  readonly before: StoredSilence | undefined
  readonly after: StoredSilence
  /** The user who requested it, if the request names one. */
  readonly by: string | undefined
}

/** Connects operations with a dispatcher and a history, whether or not these run. */
export interface DispatchHooks {
  readonly metrics: DispatchMetrics
  /** Wakes the dispatcher: this process stored something, or another configuration runs. */
  wake(): void
  /** Calls `woken` for every {@link DispatchHooks.wake}; the returned function unsubscribes. */
  onWake(woken: () => void): () => void
  /** Publishes a decision. */
  decided(decision: NotificationDecision): void
  /** Calls `keep` for every decision; the returned function unsubscribes. */
  onDecision(keep: (decision: NotificationDecision) => void): () => void
  /** Whether anything subscribes to changes of alerts; if not, callers need not compute them. */
  readonly followsAlerts: boolean
  /** Publishes the changes of alerts by one request, once they are stored. */
  alertsChanged(changes: readonly AlertChange[], now: Instant): void
  /** Calls `follow` for every {@link DispatchHooks.alertsChanged}; the returned function unsubscribes. */
  onAlertsChanged(follow: (changes: readonly AlertChange[], now: Instant) => void): () => void
  /** Publishes the change of a silence by one request, once it is stored. */
  silenceChanged(change: SilenceChange, now: Instant): void
  /** Calls `follow` for every {@link DispatchHooks.silenceChanged}; the returned function unsubscribes. */
  onSilenceChanged(follow: (change: SilenceChange, now: Instant) => void): () => void
}

/** Creates hooks without subscribers. */
export function createDispatchHooks(
  metrics: MetricsRegistry,
  metricLabels: readonly MetricLabel[],
): DispatchHooks {
  const sleepers = new Set<() => void>()
  const keepers = new Set<(decision: NotificationDecision) => void>()
  const alertFollowers = new Set<(changes: readonly AlertChange[], now: Instant) => void>()
  const silenceFollowers = new Set<(change: SilenceChange, now: Instant) => void>()
  return {
    metrics: registerDispatchMetrics(metrics, metricLabels),
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
