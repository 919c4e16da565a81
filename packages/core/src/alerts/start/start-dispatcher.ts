import { createAbortController } from '../../async/abort-controller.ts'
import type { Running } from '../../async/running.ts'
import { createTurns } from '../../async/turns.ts'
import { isGatehouseError } from '../../errors.ts'
import {
  type Decode,
  decodeInput,
  exactly,
  functionLike,
  numberFrom,
  optional,
  wholeFrom,
} from '../../input/decode.ts'
import { keepRefusedWrites } from '../../storage/refused-writes.ts'
import type { AlertsContext } from '../context.ts'
import { createFlushes } from '../dispatch/flushes.ts'
import { groupCollection } from '../dispatch/group/group.ts'
import { limitCollection } from '../dispatch/limit/limit.ts'
import { logCollection } from '../dispatch/log/log.ts'
import { createActivity } from '../dispatch/pace/activity.ts'
import { createLooks } from '../dispatch/pace/looks.ts'
import { watchExpectedAlerts } from './watch-expected-alerts.ts'

/** A running dispatcher, as returned by {@link startDispatcher}. */
export interface Dispatcher extends Running {
  /**
   * Resolves when nothing is left to do until time passes or something is stored: a test with a manual clock advances it and
   * waits for this.
   */
  settled(): Promise<void>
}

/** Options of {@link startDispatcher}. */
export interface DispatcherOptions {
  /** The most groups of one receiver that are notified at once (default 64). */
  concurrency?: number
  /** How long nothing is sent after the start, so that sources can send their alerts again, in ms (default 0). */
  startDelayMs?: number
  /** Adds jitter to retries: returns 0 to below 1 (default `Math.random`). */
  random?: () => number
}

/** The options, given from code. */
export const dispatcherOptions: Decode<DispatcherOptions> = exactly<DispatcherOptions>({
  concurrency: optional(wholeFrom(1)),
  startDelayMs: optional(numberFrom(0)),
  random: optional(functionLike('a function')),
})

/** How often it looks for changes by other processes. */
const pollMs = 1_000
/** How soon it looks again after a failure. */
const retryMs = 250
/** How long the storage must work after a failure to count as recovered. */
const calmMs = 5_000
/** How long a running attempt may take to end after `stop()`. */
const graceMs = 5_000

/**
 * Notifies receivers about alert groups, by routes, timers, silences, inhibition and mute times, until it is stopped. All its
 * state is stored: after a crash another process, or the next one, continues where it stopped, and several on one storage share
 * the work. Delivery is at-least-once: a notification is repeated only if its process was killed or suspended before it logged
 * it, or the integration did not confirm it. Corrections of the wall clock do not move its timers.
 *
 * @throws {GatehouseError} `InvalidInput` if an option is not valid.
 * @example
 * const dispatcher = startDispatcher(alerts)
 * process.once('SIGTERM', () => dispatcher.stop())
 * @see Alertmanager documentation, "Alerting overview", grouping, inhibition, silences
 */
export function startDispatcher(service: AlertsContext, given: DispatcherOptions = {}): Dispatcher {
  const options = decodeInput('options', dispatcherOptions, given)
  const { concurrency = 64, startDelayMs = 0, random = Math.random } = options
  const alerts = withLastingDispatch(service)
  const { clock, dispatch } = alerts
  const startsAt = clock.monotonic() + startDelayMs
  const activity = createActivity()
  const halt = createAbortController()
  const failures = createFailureLog(alerts)
  const flushes = createFlushes(alerts, {
    random,
    activity,
    halt: halt.signal,
    onError: failures.report,
    onChange: () => looks.wake(),
  })
  const { timers } = flushes.groups
  const turns = createTurns({ places: concurrency })

  const look = async (): Promise<void> => {
    flushes.configure()
    await flushes.groups.refresh()
    await flushes.groups.arm()
    failures.over()
    if (looks.isStopped || clock.monotonic() < startsAt) return
    for (const id of timers.takeDue()) {
      const group = timers.get(id)?.value
      if (group === undefined) continue
      const { receiver, groupKey } = group
      turns.add({ id, receiver, key: `${receiver} ${groupKey}` }, () => flushes.flush(id))
    }
  }

  const looks = createLooks({
    clock,
    activity,
    look,
    onError: failures.report,
    restMs(hasFailed) {
      const next = Math.max(timers.next() ?? Number.POSITIVE_INFINITY, startsAt)
      const leftMs = Math.ceil(next - clock.monotonic())
      // Groups stay due while the storage is unavailable: without a pause this would loop.
      return Math.max(hasFailed ? retryMs : 0, Math.min(pollMs, leftMs))
    },
  })

  const sleepOn = dispatch.onWake(looks.wake)
  looks.wake()
  const watch = watchExpectedAlerts(service, activity)

  return {
    async stop() {
      if (looks.isStopped) return
      sleepOn()
      const looked = looks.stop()
      const stopped = new DOMException('the dispatcher was stopped', 'AbortError')
      flushes.endRetries(stopped)
      const cancelGrace = clock.setTimer(graceMs, () => halt.abort(stopped))
      await Promise.all([looked, watch.stop()])
      await turns.close()
      cancelGrace()
    },

    settled: () => activity.settled(),
  }
}

/** The service as the dispatcher uses it: groups and the notification log continue in memory while the storage refuses writes. */
function withLastingDispatch(service: AlertsContext): AlertsContext {
  const { storage, clock, logger, dispatch } = service
  const lasting = keepRefusedWrites(storage, {
    collections: [groupCollection, logCollection, limitCollection],
    clock,
    logger,
    onKept: dispatch.metrics.keptInMemory,
  })
  return { ...service, storage: lasting }
}

/** Logs failures, once per outage of the storage. */
function createFailureLog({ logger, clock }: AlertsContext): {
  report(error: unknown): void
  over(): void
} {
  let isAway = false
  let failedAt = 0
  return {
    report(error) {
      failedAt = clock.monotonic()
      const away = isGatehouseError(error) && error.kind === 'ServiceUnavailable'
      if (!away || !isAway) logger.error({ error: String(error) }, 'the dispatcher failed')
      isAway ||= away
    },
    over() {
      // Reads may succeed while every commit fails.
      if (clock.monotonic() - failedAt < calmMs) return
      if (isAway) logger.info({}, 'the dispatcher can reach the storage again')
      isAway = false
    },
  }
}
