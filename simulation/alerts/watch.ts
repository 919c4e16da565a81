import { fingerprintOfObject } from '../../packages/core/src/alerts/alert/label-set.ts'
import { logId } from '../../packages/core/src/alerts/dispatch/log/log.ts'
import type { Struck } from '../cluster.ts'
import type { Failure } from '../run.ts'
import type { SharedStorage } from '../storage.ts'
import type { Timeline } from '../timeline.ts'
import { alertLabels } from './plan.ts'
import type { PostedState, Prometheus } from './prometheus.ts'
import type { Attempt, Receivers } from './receivers.ts'

/** A requested silence, stored or not. */
export interface AskedSilence {
  readonly alertname: string
  readonly from: number
  readonly until: number
  /** When the request to expire it was acknowledged. */
  expiredAt: number | undefined
}

/** The notification log's entry of an integration for a group. */
export interface LogEntry {
  readonly firing: readonly string[]
  readonly resolved: readonly string[]
  readonly committedAt: number
}

/** An integration that a process announced in its claim of a flush: others cannot know whether it was notified. */
export interface Announced {
  readonly machine: string
  /** The id of the log entry, of a receiver and a group. */
  readonly log: string
  readonly integration: string
  readonly from: number
  /** When the log was written again. */
  until: number
}

/** The observations that the properties of the alerts world are checked against. */
export interface AlertsWatch {
  readonly storage: SharedStorage
  readonly receivers: Receivers
  readonly prometheus: Prometheus
  readonly faults: readonly Struck[]
  readonly silences: readonly AskedSilence[]
  readonly announced: readonly Announced[]
  readonly reloadedAt: number | undefined
  /** Failures found during the run. */
  readonly failures: readonly Failure[]
  /** The machine that last wrote the log at the start of each attempt. */
  readonly writerAtStart: ReadonlyMap<Attempt, string | undefined>
  /** The log entry at the start of each attempt. */
  readonly logAtStart: ReadonlyMap<Attempt, LogEntry | undefined>
  silenced(alertname: string, from: number, until: number): AskedSilence
  acked(alert: number, state: PostedState): void
  reloaded(): void
}

interface AlertValue {
  readonly annotations: { readonly seq: string }
}

interface LogValue {
  readonly claim?: object
  readonly unknown?: readonly string[]
  readonly integrations: Readonly<
    Record<string, { readonly firing: readonly string[]; readonly resolved: readonly string[] }>
  >
}

/** The name of an alert in a story. */
export const nameOf = (alert: number): string => {
  const { alertname, instance } = alertLabels[alert] ?? { alertname: '', instance: '' }
  return `${alertname}/${instance}`
}

const fingerprints = new Map(
  alertLabels.map((labels, alert) => [fingerprintOfObject(labels), nameOf(alert)]),
)
const named = (ids: readonly string[]): string[] =>
  ids.map((id) => fingerprints.get(id) ?? id).sort()

/** Observes a run from outside of its processes. */
export function watchAlerts({
  timeline,
  storage,
  receivers,
  prometheus,
  faults,
}: {
  timeline: Timeline
  storage: SharedStorage
  receivers: Receivers
  prometheus: Prometheus
  faults: readonly Struck[]
}): AlertsWatch {
  const silences: AskedSilence[] = []
  const failures: Failure[] = []
  const logAtStart = new Map<Attempt, LogEntry | undefined>()
  /** By the id of a log entry and the key of an integration. */
  const log = new Map<string, LogEntry>()
  const announced: Announced[] = []
  const writers = new Map<string, string>()
  const writerAtStart = new Map<Attempt, string | undefined>()
  const seqs = new Map<string, number>()
  let reloadedAt: number | undefined

  storage.onCommit((writes, { name: machine }) => {
    for (const write of writes) {
      if ('check' in write || write.value === undefined) continue
      if (write.collection.name === 'alerts') {
        const { annotations } = write.value as unknown as AlertValue
        seqs.set(write.id, Number(annotations.seq))
      }
      if (write.collection.name !== 'notification_log') continue
      const { integrations, claim, unknown = [] } = write.value as unknown as LogValue
      writers.set(write.id, machine)
      for (const one of announced) {
        if (one.log === write.id) one.until = Math.min(one.until, timeline.now)
      }
      for (const integration of claim === undefined ? [] : unknown) {
        const until = Number.POSITIVE_INFINITY
        announced.push({ machine, log: write.id, integration, from: timeline.now, until })
      }
      for (const [key, { firing, resolved }] of Object.entries(integrations)) {
        const entry = { firing: named(firing), resolved: named(resolved) }
        const before = log.get(`${write.id} ${key}`)
        const isNew =
          before?.firing.join() !== entry.firing.join() ||
          before.resolved.join() !== entry.resolved.join()
        if (isNew) log.set(`${write.id} ${key}`, { ...entry, committedAt: timeline.now })
      }
    }
  })
  receivers.onAttempt((attempt) => {
    const { groupKey, receiver, integration } = attempt
    const id = logId(groupKey, receiver)
    logAtStart.set(attempt, log.get(`${id} ${integration}`))
    writerAtStart.set(attempt, writers.get(id))
  })

  return {
    storage,
    receivers,
    prometheus,
    faults,
    silences,
    announced,
    failures,
    logAtStart,
    writerAtStart,
    get reloadedAt() {
      return reloadedAt
    },
    silenced(alertname, from, until) {
      const asked = { alertname, from, until, expiredAt: undefined }
      silences.push(asked)
      return asked
    },
    acked(alert, { seq, sentAt }) {
      // A state that was sent earlier and may still be stored can replace it.
      const posted = prometheus.posted[alert] ?? []
      if (posted.some((one) => one.seq < seq && (one.settledAt ?? timeline.now) >= sentAt)) return
      const labels = alertLabels[alert]
      const stored = labels && seqs.get(fingerprintOfObject(labels))
      if (stored !== undefined && stored >= seq) return
      failures.push({
        property: 'an acknowledged alert is stored',
        detail: `post ${seq} of ${nameOf(alert)} was acknowledged, and post ${stored} is stored`,
      })
    },
    reloaded() {
      reloadedAt = timeline.now
    },
  }
}
