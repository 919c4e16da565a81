import type { Random } from '../../test-support/random.ts'
import { epoch, type Machine } from '../machine.ts'
import type { Timeline } from '../timeline.ts'
import { alertLabels } from './plan.ts'

/** One posted state of an alert. */
export interface PostedState {
  readonly seq: number
  readonly fires: boolean
  readonly sentAt: number
  /** In true time since the start of the run. */
  readonly endsAt: number
  /** When the sender got the acknowledgement. */
  ackedAt: number | undefined
  /** When the post can no longer have an effect, whether it was stored or not. */
  settledAt: number | undefined
}

/** The input of `postAlerts` for one state. */
export interface PostableState {
  readonly labels: { readonly alertname: string; readonly instance: string }
  readonly annotations: { readonly seq: string }
  readonly startsAt: number
  readonly endsAt: number
}

/** Alerts as Prometheus sends them: immediately on a change, then again at an interval. */
export interface Prometheus {
  /** By alert, every posted state of it. */
  readonly posted: readonly (readonly PostedState[])[]
  /** Whether an alert fires. */
  fires(alert: number): boolean
  /** Whether an alert ever fired. */
  hasFired(alert: number): boolean
  /** When an alert last began or stopped firing. */
  changedAt(alert: number): number
  set(alert: number, fires: boolean): void
  start(): void
  stop(): void
}

/** Options of {@link createPrometheus}. */
export interface PrometheusOptions {
  timeline: Timeline
  random: Random
  machines: readonly Machine[]
  /** Posts to the service on a machine. */
  post: (machine: Machine, states: readonly PostableState[]) => Promise<void>
  /** Called when a post was acknowledged. */
  acked: (alert: number, state: PostedState) => void
}

const resendMs = 10_000
/** A firing alert is posted with an end this far ahead, and sent again before. */
export const validMs = 4 * resendMs
const timeoutMs = 5_000
/** How often a resolved alert is sent. */
const resolvedRounds = 3

/** A Prometheus without alerts. It posts one request after another, each to any running process. */
export function createPrometheus(options: PrometheusOptions): Prometheus {
  const { timeline, random, machines, post, acked } = options
  const states = alertLabels.map(() => ({ fires: false, firedAt: -1, since: 0, toSend: 0 }))
  const posted = alertLabels.map((): PostedState[] => [])
  let seq = 0
  let isSending = false
  let isDirty = false
  let cancel = (): void => {}

  const again = (ms: number): void => {
    cancel()
    cancel = timeline.schedule(ms, 'prometheus', send)
  }

  const send = (): void => {
    if (isSending) {
      isDirty = true
      return
    }
    again(resendMs)
    const running = machines.filter(({ life }) => life !== undefined)
    const due = [...states.entries()].filter(([, { fires, toSend }]) => fires || toSend > 0)
    if (due.length === 0) return
    if (running.length === 0) {
      again(500)
      return
    }
    seq++
    const batch = due.map(([alert, { fires, firedAt, since }]) => {
      const endsAt = fires ? timeline.now + validMs : since
      const state: PostedState = {
        seq,
        fires,
        sentAt: timeline.now,
        endsAt,
        ackedAt: undefined,
        settledAt: undefined,
      }
      posted[alert]?.push(state)
      return { alert, state, startsAt: epoch + firedAt }
    })
    isSending = true
    isDirty = false
    const machine = random.pick(running)
    const { life } = machine
    const settled = (): void => {
      for (const { state } of batch) state.settledAt ??= timeline.now
    }
    let isOver = false
    const end = (isAcked: boolean): void => {
      if (isOver) return
      isOver = true
      cancelTimeout()
      isSending = false
      if (isAcked) {
        for (const { alert, state } of batch) {
          state.ackedAt = timeline.now
          const current = states[alert]
          if (current !== undefined && !state.fires && !current.fires) current.toSend--
          acked(alert, state)
        }
        if (isDirty) again(0)
      } else {
        again(500)
      }
    }
    const cancelTimeout = timeline.schedule(timeoutMs, 'prometheus gives up', () => {
      end(false)
      // A killed process may leave a commit in flight, but not for long.
      timeline.schedule(timeoutMs, 'forgotten', () => {
        if (life?.isDead) settled()
      })
    })
    post(
      machine,
      batch.map(({ alert, state, startsAt }) => ({
        labels: labelsOf(alert),
        annotations: { seq: String(state.seq) },
        startsAt,
        endsAt: epoch + state.endsAt,
      })),
    ).then(
      () => {
        settled()
        end(true)
      },
      () => {
        settled()
        end(false)
      },
    )
  }

  return {
    posted,
    fires: (alert) => states[alert]?.fires ?? false,
    hasFired: (alert) => (states[alert]?.firedAt ?? -1) >= 0,
    changedAt: (alert) => states[alert]?.since ?? 0,
    set(alert, fires) {
      const state = states[alert]
      if (state === undefined || state.fires === fires) return
      state.fires = fires
      state.since = timeline.now
      if (fires) state.firedAt = timeline.now
      state.toSend = fires ? 0 : resolvedRounds
      send()
    },
    start: () => again(0),
    stop: () => cancel(),
  }
}

const labelsOf = (alert: number): PostableState['labels'] =>
  alertLabels[alert] ?? { alertname: '', instance: '' }
