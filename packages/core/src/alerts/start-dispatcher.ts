import type { Instant } from '../clock.ts'
import type { TypedRecord } from '../collection.ts'
import { isGatehouseError } from '../errors.ts'
import { isConflict } from '../storage.ts'
import { createView } from '../view.ts'
import { alertCollection } from './alert.ts'
import type { AlertsConfig } from './config.ts'
import type { AlertsContext } from './context.ts'
import { createActivity } from './dispatch/activity.ts'
import { armGroups, byArrival, presentAlerts } from './dispatch/arm-groups.ts'
import { createCutoff } from './dispatch/cutoff.ts'
import { type FlushOptions, flushGroup } from './dispatch/flush-group.ts'
import { createFlushStore } from './dispatch/flush-store.ts'
import { actionAt, firstDueAt, groupCollection, type StoredGroup } from './dispatch/group.ts'
import { createGroupTimers } from './dispatch/group-timers.ts'
import { createGroupMembers } from './dispatch/members.ts'
import { oneForAll } from './dispatch/one-for-all.ts'
import { createSharedTimers } from './dispatch/shared-timers.ts'
import { createTurns } from './dispatch/turns.ts'
import type { Running } from './maintenance.ts'

/** What {@link startDispatcher} started. */
export interface Dispatcher extends Running {
  /**
   * Resolves when nothing is left to do until time passes or something is stored: a test with a manual clock moves it
   * on and waits for this.
   */
  settled(): Promise<void>
}

/** Options of {@link startDispatcher}. */
export interface DispatcherOptions {
  /** How many groups of one receiver are told of at once (default 64). */
  concurrency?: number
  /** For so long nothing is sent, so that sources can say again what they know, in ms (default 0). */
  startDelayMs?: number
  /** Spreads attempts out: from 0 to below 1 (default `Math.random`). */
  random?: () => number
}

/** So often it looks whether others stored something. */
const pollMs = 1_000
/** After so long it tries again what could not be done. */
const retryMs = 250
/** A group that nobody looked after for so long is one of no configuration. */
const abandonedMs = 60_000
/** For so long after `stop()` an attempt that is under way may come to its end. */
const graceMs = 5_000

/**
 * Tells receivers of alert groups, as routes, timers, silences, inhibition and mute times say, until it is stopped.
 * All it knows is stored: after a crash another one, or the next, goes on where it stopped, and several on one storage
 * share the work. A notification is told at least once; twice only if its process is gone between the telling and the
 * logging of it.
 *
 * @see Alertmanager documentation, "Alerting overview", grouping, inhibition, silences
 */
export function startDispatcher(
  alerts: AlertsContext,
  options: DispatcherOptions = {},
): Dispatcher {
  const { storage, clock, board, ids, dispatch } = alerts
  const { concurrency = 64, startDelayMs = 0, random = Math.random } = options
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new RangeError(`concurrency must be a whole number from 1 on, got ${concurrency}`)
  }
  const holder = ids.random()
  const startsAt = clock.now() + startDelayMs
  const members = createGroupMembers(board.routingTree)
  const timers = createGroupTimers()
  const memberView = createView({
    storage,
    clock,
    collection: alertCollection,
    projection: members,
  })
  const timerView = createView({ storage, clock, collection: groupCollection, projection: timers })
  const store = createFlushStore(storage)
  const refresh = oneForAll(() => memberView.refresh())
  const refreshAll = oneForAll(() => Promise.all([board.refresh(), memberView.refresh()]))
  const flushTimers = createSharedTimers(clock)
  const turns = createTurns({ places: concurrency })
  const activity = createActivity()
  const failures = createFailureLog(alerts)
  const halt = createCutoff()
  let patience = createCutoff()
  let config: AlertsConfig | undefined
  let flushing: FlushOptions | undefined
  let unarmed: readonly string[] = []
  /** Groups to be flushed before they are due. */
  const early = new Set<string>()
  let cancelTimer = (): void => {}
  let looking: Promise<void> | undefined
  let isWanted = false
  let isStopped = false

  /** Another configuration: whoever waits for another attempt begins anew under it. */
  const reconfigure = (): void => {
    if (config === alerts.config.current) return
    const isFirst = config === undefined
    config = alerts.config.current
    members.configure(board.routingTree)
    patience.cut(new DOMException('another configuration runs', 'AbortError'))
    patience = createCutoff()
    flushing = {
      receivers: alerts.receiversOf(config),
      patience,
      holder,
      members,
      store,
      timers: flushTimers,
      random,
      activity,
      halt,
      metrics: dispatch.metrics,
      decided: dispatch.decided,
      refresh,
      refreshAll,
    }
    if (!isFirst) flushAllSoon()
  }

  /** What is not new to a group is told of under the new configuration at once, unless it was under the old one. */
  const flushAllSoon = (): void => {
    const now = clock.now()
    for (const group of members.groups()) {
      const [creator] = presentAlerts(group, timers.get(group.id)?.value).sort(byArrival)
      if (creator === undefined || firstDueAt(creator.value, group.route) > now) continue
      early.add(group.id)
      timers.comeAgain(group.id, now)
    }
  }

  const arm = async (): Promise<void> => {
    const ids = new Set([...unarmed, ...members.takeChanged(), ...timers.takeChanged()])
    if (ids.size === 0) return
    unarmed = [...ids]
    const startedAt = clock.now()
    unarmed = await armGroups(storage, unarmed, { members, timers })
    dispatch.metrics.processed(clock.now() - startedAt)
    if (unarmed.length > 0) isWanted = true
    await timerView.refresh()
  }

  const flush = async (id: string): Promise<void> => {
    const end = activity.begin()
    try {
      await flushIfDue(id)
    } catch (error) {
      if (!isConflict(error)) failures.report(error)
      timers.comeAgain(id, clock.now() + retryMs)
    }
    lookSoon()
    end()
  }

  const flushIfDue = async (id: string): Promise<void> => {
    const record = timers.get(id)
    const dueAt = record && actionAt(record.value)
    const isEarly = early.delete(id) && record?.value.claim === undefined
    if (record === undefined || dueAt === undefined) return
    const isOrphaned = record.value.claim?.holder === holder
    if (dueAt > clock.now() && !isEarly && !isOrphaned) return timers.comeAgain(id, dueAt)
    const route = members.group(id)?.route
    if (route === undefined || flushing === undefined) return leaveAlone(record, dueAt)
    const refused = await flushGroup(alerts, record, route, flushing)
    if (refused === undefined) return
    const retryAt = clock.now() + retryMs
    timers.comeAgain(id, 'busyUntil' in refused ? Math.min(refused.busyUntil, retryAt) : retryAt)
  }

  /** A group without alerts here may have some in the configuration of another process, which then looks after it. */
  const leaveAlone = async (record: TypedRecord<StoredGroup>, dueAt: Instant): Promise<void> => {
    const abandonedAt = dueAt + abandonedMs
    if (clock.now() < abandonedAt) return timers.comeAgain(record.id, abandonedAt)
    await storage.commit([groupCollection.remove(record.id, record.version)])
  }

  const look = async (): Promise<void> => {
    reconfigure()
    await Promise.all([memberView.refresh(), timerView.refresh()])
    await arm()
    failures.over()
    const now = clock.now()
    if (isStopped || now < startsAt) return
    for (const id of timers.takeDue(now)) {
      const group = timers.get(id)?.value
      if (group === undefined) continue
      const { receiver, groupKey } = group
      turns.add({ id, receiver, key: `${receiver} ${groupKey}` }, () => flush(id))
    }
  }

  const lookUntilDone = async (): Promise<void> => {
    const end = activity.begin()
    cancelTimer()
    while (isWanted && !isStopped) {
      isWanted = false
      try {
        await look()
      } catch (error) {
        failures.report(error)
      }
    }
    looking = undefined
    if (!isStopped) {
      const next = Math.max(timers.next() ?? Number.POSITIVE_INFINITY, startsAt)
      cancelTimer = clock.setTimer(Math.max(0, Math.min(pollMs, next - clock.now())), lookSoon)
    }
    end()
  }

  const lookSoon = (): void => {
    isWanted = true
    if (!isStopped) looking ??= lookUntilDone()
  }

  const sleepOn = dispatch.onWake(lookSoon)
  lookSoon()

  return {
    async stop() {
      if (isStopped) return
      isStopped = true
      sleepOn()
      cancelTimer()
      const stopped = new DOMException('the dispatcher was stopped', 'AbortError')
      patience.cut(stopped)
      const cancelGrace = clock.setTimer(graceMs, () => halt.cut(stopped))
      await looking
      await turns.close()
      cancelGrace()
    },

    settled: () => activity.settled(),
  }
}

/** Logs what goes wrong, once for as long as the storage cannot be reached. */
function createFailureLog({ logger }: AlertsContext): {
  report(error: unknown): void
  over(): void
} {
  let isAway = false
  return {
    report(error) {
      const away = isGatehouseError(error) && error.kind === 'ServiceUnavailable'
      if (!away || !isAway) logger.error({ error: String(error) }, 'the dispatcher failed')
      isAway ||= away
    },
    over() {
      if (isAway) logger.info({}, 'the dispatcher reaches the storage again')
      isAway = false
    },
  }
}
