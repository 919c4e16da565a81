import { epoch, type Machine } from '../machine.ts'
import type { Random } from '../random.ts'
import type { Timeline } from '../timeline.ts'
import { alertLabels } from './plan.ts'

/** One state of an alert that was posted. */
export interface PostedState {
  readonly seq: number
  readonly fires: boolean
  readonly sentAt: number
  /** In true time since the start of the run. */
  readonly endsAt: number
  /** When the sender was told that it is stored. */
  ackedAt: number | undefined
  /** When nothing can come of it any more, stored or not. */
  settledAt: number | undefined
}

/** What a post sends, for `postAlerts`. */
export interface PostableState {
  readonly labels: { readonly alertname: string; readonly instance: string }
  readonly annotations: { readonly seq: string }
  readonly startsAt: number
  readonly endsAt: number
}

/** Alerts as Prometheus sends them: at once when they change, and again and again. */
export interface Prometheus {
  /** By alert, everything that was posted about it. */
  readonly posted: readonly (readonly PostedState[])[]
  /** Whether an alert fires. */
  fires(alert: number): boolean
  /** Whether an alert ever fired. */
  hasFired(alert: number): boolean
  /** When an alert last began or ended to fire. */
  changedAt(alert: number): number
  set(alert: number, fires: boolean): void
  start(): void
  stop(): void
}

/** What {@link createPrometheus} needs. */
export interface PrometheusOptions {
  timeline: Timeline
  random: Random
  machines: readonly Machine[]
  /** Posts to the service on a machine. */
  post: (machine: Machine, states: readonly PostableState[]) => Promise<void>
  /** A post was acknowledged. */
  acked: (alert: number, state: PostedState) => void
}

const resendMs = 10_000
/** An alert that fires is said to end after so long, unless it is sent again. */
export const validMs = 4 * resendMs
const timeoutMs = 5_000
/** Resolved alerts are sent so often. */
const resolvedRounds = 3

/** A Prometheus with no alerts yet. It posts one after the other, each time to some process that runs. */
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
      // A process that was killed may leave a commit under way, but not for long.
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
