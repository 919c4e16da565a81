import type { Machine } from '../machine.ts'
import type { Failure } from '../run.ts'
import { quiet, type SimulatedConfig } from './config.ts'
import { alertLabels } from './plan.ts'
import { type PostedState, validMs } from './prometheus.ts'
import type { Attempt } from './receivers.ts'
import { notRepeated } from './repeats.ts'
import { type AlertsWatch, nameOf } from './watch.ts'

/** The input of the checks at the end of a run of the alerts world. */
export interface AlertsRun {
  readonly watch: AlertsWatch
  readonly config: SimulatedConfig
  readonly machines: readonly Machine[]
  readonly now: number
}

/** Checks all properties, once every fault has been over for long enough. */
export function checkAlerts(run: AlertsRun): Failure[] {
  return [
    ...run.watch.failures,
    ...lastMessagesAreTrue(run),
    ...onlySentWithClaim(run.watch),
    ...notRepeated(run.watch, run.config.isLimited),
    ...notWithoutCause(run),
    ...notGrown(run),
  ]
}

/** The longest time from when a flush reads the alerts to its last attempt, including the network. */
const maxFlushMs = 30_000 + 5_000

/** Whether a silence may hold at some instant of a span: a requested silence may or may not be stored. */
function maySilence(
  { silences, faults }: AlertsWatch,
  alertname: string,
  { from, to }: { from: number; to: number },
): boolean {
  // A process with a wrong clock expires a silence by that clock, so for other processes it may end later.
  const areClocksRight = faults.every(({ what }) => what !== 'clock')
  return silences.some(
    (one) =>
      one.alertname === alertname &&
      one.from - 10_000 <= to &&
      (areClocksRight ? Math.min(one.until, one.expiredAt ?? one.until) : one.until) + 10_000 >=
        from,
  )
}

/** The last message of each receiver says which alerts fire. */
function lastMessagesAreTrue({ watch, config, now }: AlertsRun): Failure[] {
  const failures: Failure[] = []
  const fail = (detail: string): void => {
    failures.push({ property: 'the last message is the truth', detail })
  }
  for (const [alertname, integrations] of Object.entries(config.routes)) {
    const members = [...alertLabels.keys()].filter(
      (alert) => alertLabels[alert]?.alertname === alertname,
    )
    for (const [receiver, key] of integrations) {
      const last = watch.receivers.handled.findLast(
        (one) => one.receiver === receiver && one.integration === key && isAbout(one, alertname),
      )
      const about = `${receiver} (${key})`
      for (const alert of members) {
        const name = nameOf(alert)
        const wasSentFiring = last?.firing.includes(name) ?? false
        if (watch.prometheus.fires(alert)) {
          // After the end of a silence, the next flush sends the alert.
          const flush = { from: now - maxFlushMs, to: now }
          if (wasSentFiring || maySilence(watch, alertname, flush)) continue
          fail(`${name} fires, and ${about} last received ${describeLast(last)}`)
        } else if (wasSentFiring && receiver !== quiet) {
          // An alert that is resolved while silenced, or that now routes to another receiver, is not reported as resolved.
          const from = watch.prometheus.changedAt(alert)
          if (maySilence(watch, alertname, { from, to: now })) continue
          if (watch.reloadedAt !== undefined) continue
          fail(`${name} is resolved, and ${about} last received ${describeLast(last)}`)
        }
      }
    }
  }
  return failures
}

/** Whether a notification is about the group of an `alertname`: its own, or a summary that names some of its alerts. */
const isAbout = ({ group, reason, firing, resolved }: Attempt, alertname: string): boolean =>
  reason === 'rate limited'
    ? [...firing, ...resolved].some((name) => name.startsWith(`${alertname}/`))
    : group === alertname

const describeLast = (last: Attempt | undefined): string =>
  last === undefined
    ? 'nothing'
    : `at ${(last.handledAt ?? 0) / 1_000} s that [${last.firing}] fire and [${last.resolved}] are resolved`

/** The process that begins an attempt has written the log last: otherwise another one has taken its flush over. */
function onlySentWithClaim({ receivers, writerAtStart, faults }: AlertsWatch): Failure[] {
  // Claims of a process that cannot write are in its memory alone.
  if (faults.some(({ what }) => what === 'read-only')) return []
  return receivers.attempts
    .filter(
      (attempt) =>
        // A summary is claimed in the state of its limit.
        attempt.reason !== 'rate limited' && writerAtStart.get(attempt) !== attempt.from,
    )
    .map((attempt) => ({
      property: 'only the holder of the claim sends',
      detail: `at ${attempt.startedAt / 1_000} s ${attempt.from} sends ${attempt.receiver}, and ${writerAtStart.get(attempt)} has claimed the flush`,
    }))
}

/** Every notification has a cause: a posted state that its sender may have seen. */
function notWithoutCause({ watch }: AlertsRun): Failure[] {
  const failures: Failure[] = []
  const fail = (attempt: Attempt, name: string, what: string): void => {
    failures.push({
      property: 'no notification without a cause',
      detail: `at ${attempt.startedAt / 1_000} s ${attempt.from} sends ${attempt.receiver} that ${name} ${what}`,
    })
  }
  for (const attempt of watch.receivers.attempts) {
    const { startedAt } = attempt
    const span = { from: startedAt - maxFlushMs, to: startedAt }
    // A process with a wrong clock may take a firing alert for resolved, or a past end for a future one.
    const hadWrongClock = watch.faults.some(
      ({ what, at, until }) => what === 'clock' && at <= span.to && until + validMs >= span.from,
    )
    for (const alert of alertLabels.keys()) {
      const name = nameOf(alert)
      const posted = (watch.prometheus.posted[alert] ?? []).filter((one) => one.sentAt <= startedAt)
      // A state counts until another one has certainly replaced it.
      const possible = posted.filter(({ seq, settledAt = startedAt }) => {
        const next = posted.find(
          (one) => one.seq > seq && (one.ackedAt ?? startedAt) < span.from && !isEndAhead(one),
        )
        return next === undefined || settledAt >= next.sentAt
      })
      if (attempt.firing.includes(name)) {
        if (!watch.prometheus.hasFired(alert)) fail(attempt, name, 'fires, although it never did')
        else if (
          !hadWrongClock &&
          possible.every(({ fires, sentAt, endsAt }) => {
            // For a process whose clock is behind, an alert that ended just before it was posted still fires.
            const seenFrom = fires ? span.from : Math.max(span.from, sentAt)
            return endsAt + 5_000 < seenFrom
          })
        ) {
          fail(attempt, name, 'fires, long after it was resolved')
        }
      }
      if (attempt.resolved.includes(name)) {
        if (!watch.prometheus.hasFired(alert))
          fail(attempt, name, 'is resolved, although it never fired')
        else if (
          !hadWrongClock &&
          possible.length > 0 &&
          possible.every(({ fires, endsAt }) => fires && endsAt - 5_000 > span.to)
        ) {
          fail(attempt, name, 'is resolved, while it fires')
        }
      }
    }
  }
  return failures
}

/**
 * Whether a process with a clock behind sees the end as in the future. Such an end does not shorten an earlier post: of two
 * posts of a firing alert, the later end counts.
 */
const isEndAhead = ({ fires, sentAt, endsAt }: PostedState): boolean =>
  !fires && sentAt - endsAt < 5_000

/** The most timers that an idle process may have. */
const maxTimers = 12

function notGrown({ machines }: AlertsRun): Failure[] {
  return machines
    .filter(({ timers }) => timers > maxTimers)
    .map(({ name, timers }) => ({
      property: 'nothing grows',
      detail: `${name} has ${timers} timers at the end`,
    }))
}
