import { oneForAll } from '../async/one-for-all.ts'
import { createTurns } from '../async/turns.ts'
import { isGatehouseError } from '../errors.ts'
import {
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
import { alertCollection } from './alert/alert.ts'
import type { AlertsConfig } from './config/config.ts'
import type { AlertsContext } from './context.ts'
import { createFlushStore } from './dispatch/claim/flush-store.ts'
import { type FlushOptions, flushGroup } from './dispatch/flush-group.ts'
import { armGroups, byArrival, presentAlerts } from './dispatch/group/arm-groups.ts'
import {
  firstDueAt,
  groupCollection,
  longestWaitMs,
  type StoredGroup,
} from './dispatch/group/group.ts'
import { createGroupTimers } from './dispatch/group/group-timers.ts'
import { createGroupMembers } from './dispatch/group/members.ts'
import { createSightings } from './dispatch/group/sightings.ts'
import { logCollection } from './dispatch/log/log.ts'
import { createActivity } from './dispatch/pace/activity.ts'
import { createCutoff } from './dispatch/pace/cutoff.ts'
import { createSharedTimers } from './dispatch/pace/shared-timers.ts'
import type { Running } from './start-maintenance.ts'

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

const decodeOptions = exactly<DispatcherOptions>({
  concurrency: optional(wholeFrom(1)),
  startDelayMs: optional(numberFrom(0)),
  random: optional(functionLike('a function')),
})

/** So often it looks whether others stored something. */
const pollMs = 1_000
/** After so long it tries again what could not be done. */
const retryMs = 250
/** A storage that did not fail for so long works again. */
const calmMs = 5_000
/** A group that nobody looked after for so long is one of no configuration. */
const abandonedMs = 60_000
/** How many claims of other processes, and notifications logged by other clocks, it remembers the age of. */
const mostSighted = 50_000
/** For so long after `stop()` an attempt that is under way may come to its end. */
const graceMs = 5_000

/**
 * Tells receivers of alert groups, as routes, timers, silences, inhibition and mute times say, until it is stopped.
 * All it knows is stored: after a crash another one, or the next, goes on where it stopped, and several on one storage
 * share the work. A notification is told at least once; again only if its process was killed or stopped before it logged
 * it, or the integration did not confirm it. Corrections of the wall clock do not move its timers.
 *
 * @throws {GatehouseError} `InvalidInput` if an option does not fit.
 * @see Alertmanager documentation, "Alerting overview", grouping, inhibition, silences
 */
export function startDispatcher(service: AlertsContext, given: DispatcherOptions = {}): Dispatcher {
  const options = decodeInput('options', decodeOptions, given)
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
  const store = createFlushStore(storage)
  const refresh = oneForAll(() => memberView.refresh())
  // The board last: it knows every alert that the groups know, and nothing comes between it and who asked.
  const refreshAll = oneForAll(() => memberView.refresh().then(board.refresh))
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
      nextBeat: () => ++beats,
      sightings,
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
    const refused = await flushGroup(alerts, record, route, flushing)
    if (refused !== undefined) timers.comeAgain(id, clock.monotonic() + retryMs)
  }

  /** A group without alerts here may have some in the configuration of another process, which then looks after it. */
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
        // What is due stays due while the storage is away: without a pause it would be looked for all the time.
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

/** The service as the dispatcher uses it: groups and the notification log go on in memory while the storage takes no writes. */
function withLastingDispatch(service: AlertsContext): AlertsContext {
  const { storage, clock, logger, dispatch } = service
  const lasting = keepRefusedWrites(storage, {
    collections: [groupCollection, logCollection],
    clock,
    logger,
    onKept: dispatch.metrics.keptInMemory,
  })
  return { ...service, storage: lasting }
}

/** Logs what goes wrong, once for as long as the storage cannot be reached. */
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
      // Reading may go well while every commit fails.
      if (clock.monotonic() - failedAt < calmMs) return
      if (isAway) logger.info({}, 'the dispatcher reaches the storage again')
      isAway = false
    },
  }
}
