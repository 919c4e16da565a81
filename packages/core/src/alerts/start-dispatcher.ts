import { createAbortController } from '../async/abort-controller.ts'
import { oneForAll } from '../async/one-for-all.ts'
import type { Running } from '../async/running.ts'
import { createTurns } from '../async/turns.ts'
import { isGatehouseError } from '../errors.ts'
import {
  type Decode,
  decodeInput,
  exactly,
  functionLike,
  numberFrom,
  optional,
  wholeFrom,
} from '../input/decode.ts'
import type { TypedRecord } from '../storage/collection.ts'
import { keepRefusedWrites } from '../storage/refused-writes.ts'
import { isConflict } from '../storage/storage.ts'
import { createView } from '../storage/view.ts'
import { inSpan, type TracedOperation } from '../tracing/in-span.ts'
import { alertCollection } from './alert/alert.ts'
import type { AlertsConfig } from './config/config.ts'
import type { AlertsContext } from './context.ts'
import { createFlushStore } from './dispatch/claim/flush-store.ts'
import { type FlushOptions, flushGroup } from './dispatch/flush-group.ts'
import { armGroups, byArrival, presentAlerts } from './dispatch/group/arm-groups.ts'
import { firstDueAt, longestWaitMs } from './dispatch/group/flush-times.ts'
import { groupCollection, type StoredGroup } from './dispatch/group/group.ts'
import { createGroupTimers } from './dispatch/group/group-timers.ts'
import { createGroupMembers } from './dispatch/group/members.ts'
import { createSightings } from './dispatch/group/sightings.ts'
import { limitCollection } from './dispatch/limit/limit.ts'
import { createNotificationLimits } from './dispatch/limit/notification-limits.ts'
import { logCollection } from './dispatch/log/log.ts'
import { createActivity } from './dispatch/pace/activity.ts'
import { createSharedTimers } from './dispatch/pace/shared-timers.ts'
import { flushAlerts } from './notification/flush-alert.ts'
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
/** How soon it retries what failed. */
const retryMs = 250
/** How long the storage must work after a failure to count as recovered. */
const calmMs = 5_000
/** A group that is overdue by this much belongs to no running configuration. */
const abandonedMs = 60_000
/** The most claims of other processes, and notifications logged by other clocks, whose age it remembers. */
const mostSighted = 50_000
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
  const alerts = withLastingDispatch(service)
  const { storage, clock, board, ids, dispatch } = alerts
  const { concurrency = 64, startDelayMs = 0, random = Math.random } = options
  const holder = ids.random()
  let beats = 0
  const startsAt = clock.monotonic() + startDelayMs
  const sightings = createSightings(clock, mostSighted)
  const members = createGroupMembers(board.routingTree)
  const timers = createGroupTimers({ clock, sightings })
  const memberView = createView({
    storage,
    clock,
    collection: alertCollection,
    projection: members,
  })
  const timerView = createView({ storage, clock, collection: groupCollection, projection: timers })
  const store = createFlushStore(storage, { clock, onRead: dispatch.metrics.logRead })
  const refresh = oneForAll(() => memberView.refresh())
  // The board last: then it knows every alert that the groups know, and nothing runs between its refresh and the caller.
  const refreshAll = oneForAll(() => memberView.refresh().then(board.refresh))
  const nextBeat = (): number => ++beats
  const flushTimers = createSharedTimers(clock)
  const turns = createTurns({ places: concurrency })
  const activity = createActivity()
  const failures = createFailureLog(alerts)
  const halt = createAbortController()
  const waiting = { activity, signals: [halt.signal] }
  const limits = createNotificationLimits({ storage, clock, sightings, holder, nextBeat, waiting })
  let patience = createAbortController()
  let config: AlertsConfig | undefined
  let flushing: FlushOptions | undefined
  let unarmed: readonly string[] = []
  /** Groups to flush before they are due. */
  const early = new Set<string>()
  let cancelTimer = (): void => {}
  let looking: Promise<void> | undefined
  let isWanted = false
  let isStopped = false

  /** Another configuration is running: pending retries end and start again under it. */
  const reconfigure = (): void => {
    if (config === alerts.config.current) return
    const isFirst = config === undefined
    config = alerts.config.current
    members.configure(board.routingTree)
    patience.abort(new DOMException('another configuration runs', 'AbortError'))
    patience = createAbortController()
    flushing = {
      receivers: alerts.receiversOf(config),
      patience: patience.signal,
      holder,
      nextBeat,
      sightings,
      members,
      store,
      timers: flushTimers,
      random,
      activity,
      halt: halt.signal,
      metrics: dispatch.metrics,
      decided: dispatch.decided,
      limits,
      groupAt(id, tick) {
        const group = members.group(id)
        if (group === undefined) return undefined
        const present = presentAlerts(group, timers.get(id)?.value)
        return { route: group.route, alerts: flushAlerts(present, tick) }
      },
      refresh,
      refreshAll,
    }
    if (!isFirst) flushAllSoon()
  }

  /**
   * Flushes every group whose group wait has passed, so that the new configuration applies at once. Notifications that the old
   * one sent are not repeated.
   */
  const flushAllSoon = (): void => {
    const now = clock.now()
    for (const group of members.groups()) {
      const [creator] = presentAlerts(group, timers.get(group.id)?.value).sort(byArrival)
      if (creator === undefined || firstDueAt(creator.value, group.route) > now) continue
      early.add(group.id)
      timers.comeAgain(group.id, clock.monotonic())
    }
  }

  const arm = async (): Promise<void> => {
    const ids = new Set([...unarmed, ...members.takeChanged(), ...timers.takeChanged()])
    if (ids.size === 0) return
    unarmed = [...ids]
    const startedAt = clock.monotonic()
    unarmed = await armGroups(storage, unarmed, { members, timers, now: clock.now() })
    dispatch.metrics.processed(clock.monotonic() - startedAt)
    if (unarmed.length > 0) isWanted = true
    await timerView.refresh()
    for (const id of ids) {
      const route = members.group(id)?.route
      if (route !== undefined) timers.atMost(id, longestWaitMs(route))
    }
  }

  const flush = async (id: string): Promise<void> => {
    const end = activity.begin()
    try {
      await flushIfDue(id)
    } catch (error) {
      if (!isConflict(error)) failures.report(error)
      timers.comeAgain(id, clock.monotonic() + retryMs)
    }
    lookSoon()
    end()
  }

  const flushIfDue = async (id: string): Promise<void> => {
    const record = timers.get(id)
    const dueAt = timers.dueAt(id)
    const isEarly = early.delete(id) && record?.value.claim === undefined
    if (record === undefined || dueAt === undefined) return
    const isOrphaned = record.value.claim?.holder === holder
    if (dueAt > clock.monotonic() && !isEarly && !isOrphaned) return timers.comeAgain(id, dueAt)
    const route = members.group(id)?.route
    if (route === undefined || flushing === undefined) return leaveAlone(record, dueAt)
    const options = flushing
    const refused = await inSpan(alerts.tracer, flushSpan(record.value), () =>
      flushGroup(alerts, record, route, options),
    )
    if (refused !== undefined) timers.comeAgain(id, clock.monotonic() + retryMs)
  }

  /**
   * A group without alerts here may have some under the configuration of another process, which then flushes it. It is removed
   * once it is overdue by `abandonedMs`.
   */
  const leaveAlone = async (record: TypedRecord<StoredGroup>, dueAt: number): Promise<void> => {
    const abandonedAt = dueAt + abandonedMs
    if (clock.monotonic() < abandonedAt) return timers.comeAgain(record.id, abandonedAt)
    await storage.commit([groupCollection.remove(record.id, record.version)])
  }

  const look = async (): Promise<void> => {
    reconfigure()
    await Promise.all([memberView.refresh(), timerView.refresh()])
    await arm()
    failures.over()
    if (isStopped || clock.monotonic() < startsAt) return
    for (const id of timers.takeDue()) {
      const group = timers.get(id)?.value
      if (group === undefined) continue
      const { receiver, groupKey } = group
      turns.add({ id, receiver, key: `${receiver} ${groupKey}` }, () => flush(id))
    }
  }

  const lookUntilDone = async (): Promise<void> => {
    const end = activity.begin()
    cancelTimer()
    let leastMs = 0
    while (isWanted && !isStopped) {
      isWanted = false
      try {
        await look()
        leastMs = 0
      } catch (error) {
        failures.report(error)
        // Groups stay due while the storage is unavailable: without a pause this would loop.
        leastMs = retryMs
      }
    }
    looking = undefined
    if (!isStopped) {
      const next = Math.max(timers.next() ?? Number.POSITIVE_INFINITY, startsAt)
      const leftMs = Math.ceil(next - clock.monotonic())
      cancelTimer = clock.setTimer(Math.max(leastMs, Math.min(pollMs, leftMs)), lookSoon)
    }
    end()
  }

  const lookSoon = (): void => {
    isWanted = true
    if (!isStopped) looking ??= lookUntilDone()
  }

  const sleepOn = dispatch.onWake(lookSoon)
  lookSoon()
  const watch = watchExpectedAlerts(service, activity)

  return {
    async stop() {
      if (isStopped) return
      isStopped = true
      sleepOn()
      cancelTimer()
      const stopped = new DOMException('the dispatcher was stopped', 'AbortError')
      patience.abort(stopped)
      const cancelGrace = clock.setTimer(graceMs, () => halt.abort(stopped))
      await Promise.all([looking, watch.stop()])
      await turns.close()
      cancelGrace()
    },

    settled: () => activity.settled(),
  }
}

/** A flush begins a trace: it often is the timer of its group that causes it, not the request that happened to come last. */
const flushSpan = ({ receiver, groupKey }: StoredGroup): TracedOperation<string | undefined> => ({
  name: 'alerts.flush',
  options: () => ({
    root: true,
    attributes: { 'gatehouse.receiver': receiver, 'gatehouse.group_key': groupKey },
  }),
  onResult(span, refused) {
    if (refused !== undefined) span.setAttributes({ 'gatehouse.flush.not_claimed': refused })
  },
})

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
