import { createAbortController } from '../../async/abort-controller.ts'
import type { Ids } from '../../crypto/ids.ts'
import { isConflict } from '../../storage/storage.ts'
import { inSpan, type TracedOperation } from '../../tracing/in-span.ts'
import type { AlertsConfig } from '../config/config.ts'
import { flushAlerts } from '../notification/flush-alert.ts'
import type { ReceiverSet } from '../receivers/receiver-set.ts'
import { createFlushStore } from './claim/flush-store.ts'
import type { FlushContext } from './flush-context.ts'
import { type FlushOptions, flushGroup } from './flush-group.ts'
import { presentAlerts } from './group/arm-groups.ts'
import { groupCollection, type StoredGroup } from './group/group.ts'
import { actionFor } from './group/group-action.ts'
import { createSightings } from './group/sightings.ts'
import { createWatchedGroups, type WatchedGroups } from './group/watched-groups.ts'
import type { DispatchHooks } from './hooks.ts'
import { createNotificationLimits } from './limit/notification-limits.ts'
import type { Activity } from './pace/activity.ts'
import { createSharedTimers } from './pace/shared-timers.ts'

/** The parts of the service that flushes need. */
export interface FlushesContext extends FlushContext {
  readonly ids: Ids
  readonly dispatch: DispatchHooks
  /** The receivers of a configuration. */
  readonly receiversOf: (config: AlertsConfig) => ReceiverSet
}

/** How soon a flush that failed is tried again. */
const retryMs = 250
/** The most claims of other processes, and notifications logged by other clocks, whose age it remembers. */
const maxSighted = 50_000

/** What {@link createFlushes} needs besides the service. */
export interface FlushesOptions {
  random: () => number
  activity: Activity
  /** Ends waiting for a storage that is unavailable. */
  halt: AbortSignal
  onError: (error: unknown) => void
  /** Called when groups may be due, or changed. */
  onChange: () => void
}

/** The flushes of a dispatcher, under the running configuration. */
export interface Flushes {
  readonly groups: WatchedGroups
  /** Takes over the running configuration. If it is another one, pending retries end and start again under it. */
  configure(): void
  /** Flushes a group whose turn has come, if it is still due. Never rejects. */
  flush(id: string): Promise<void>
  /** Ends pending retries. */
  endRetries(reason: DOMException): void
}

/** Creates {@link Flushes} without a configuration. */
export function createFlushes(alerts: FlushesContext, given: FlushesOptions): Flushes {
  const { storage, clock, board, ids, dispatch } = alerts
  const { activity, onError, onChange } = given
  const holder = ids.random()
  const sightings = createSightings(clock, maxSighted)
  const groups = createWatchedGroups({
    storage,
    clock,
    board,
    sightings,
    onArmed: dispatch.metrics.processed,
    onLeft: onChange,
  })
  const { members, timers } = groups
  const lasting = lastingOptions(alerts, groups, { ...given, holder, sightings })
  /** Groups to flush before they are due. */
  const early = new Set<string>()
  let config: AlertsConfig | undefined
  let patience = createAbortController()
  let flushing: FlushOptions | undefined

  const perform = async (id: string): Promise<void> => {
    const record = timers.get(id)
    const isEarly = early.delete(id)
    const route = flushing && members.group(id)?.route
    const known = { record, dueAt: timers.dueAt(id), isEarly, route }
    const action = actionFor(known, { now: clock.monotonic(), holder })
    if (action.type === 'wait') return timers.comeAgain(id, action.until)
    if (action.type === 'remove') {
      await storage.commit([groupCollection.remove(id, action.record.version)])
    }
    if (action.type !== 'flush' || flushing === undefined) return
    const options = flushing
    const refused = await inSpan(alerts.tracer, flushSpan(action.record.value), () =>
      flushGroup(alerts, action.record, action.route, options),
    )
    if (refused !== undefined) timers.comeAgain(id, clock.monotonic() + retryMs)
  }

  return {
    groups,

    configure() {
      if (config === alerts.config.current) return
      const isFirst = config === undefined
      config = alerts.config.current
      members.configure(board.routingTree)
      patience.abort(new DOMException('another configuration runs', 'AbortError'))
      patience = createAbortController()
      flushing = { ...lasting, receivers: alerts.receiversOf(config), patience: patience.signal }
      if (isFirst) return
      // The new configuration applies at once. Notifications that the old one sent are not repeated.
      for (const id of groups.waited(clock.now())) {
        early.add(id)
        timers.comeAgain(id, clock.monotonic())
      }
    },

    async flush(id) {
      const end = activity.begin()
      try {
        await perform(id)
      } catch (error) {
        if (!isConflict(error)) onError(error)
        timers.comeAgain(id, clock.monotonic() + retryMs)
      }
      onChange()
      end()
    },

    endRetries: (reason) => patience.abort(reason),
  }
}

/** The options of flushes that no configuration changes. */
function lastingOptions(
  { storage, clock, dispatch }: FlushesContext,
  { members, timers, refreshMembers, refreshAll }: WatchedGroups,
  given: Pick<FlushesOptions, 'random' | 'activity' | 'halt'> &
    Pick<FlushOptions, 'holder' | 'sightings'>,
): Omit<FlushOptions, 'receivers' | 'patience'> {
  const { random, activity, halt, holder, sightings } = given
  let beats = 0
  const nextBeat = (): number => ++beats
  const waiting = { activity, signals: [halt] }
  return {
    holder,
    nextBeat,
    sightings,
    members,
    store: createFlushStore(storage, { clock, onRead: dispatch.metrics.logRead }),
    timers: createSharedTimers(clock),
    random,
    activity,
    halt,
    metrics: dispatch.metrics,
    decided: dispatch.decided,
    limits: createNotificationLimits({ storage, clock, sightings, holder, nextBeat, waiting }),
    groupAt(id, tick) {
      const group = members.group(id)
      if (group === undefined) return undefined
      const present = presentAlerts(group, timers.get(id)?.value)
      return { route: group.route, alerts: flushAlerts(present, tick) }
    },
    refresh: refreshMembers,
    refreshAll,
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
