import { oneForAll } from '../../../async/one-for-all.ts'
import type { Storage } from '../../../storage/storage.ts'
import { createView } from '../../../storage/view.ts'
import type { Clock, Instant } from '../../../time/clock.ts'
import { alertCollection } from '../../alert/alert.ts'
import type { AlertBoard } from '../../board/board.ts'
import { armGroups, byArrival, presentAlerts } from './arm-groups.ts'
import { firstDueAt, maxWaitMs } from './flush-times.ts'
import { groupCollection } from './group.ts'
import { createGroupTimers, type GroupTimers } from './group-timers.ts'
import { createGroupMembers, type GroupMembers } from './members.ts'
import type { Sightings } from './sightings.ts'

/** The alert groups of the running configuration, with the alerts and the timers that the storage has. */
export interface WatchedGroups {
  readonly members: GroupMembers
  readonly timers: GroupTimers
  /** Brings members and timers up to date. */
  refresh(): Promise<unknown>
  /** Brings the members up to date. Calls made meanwhile share the next refresh. */
  refreshMembers(): Promise<unknown>
  /** The same with the board: it then knows every alert that the groups know, and nothing runs before the caller goes on. */
  refreshAll(): Promise<unknown>
  /** Makes every changed group due at some time. */
  arm(): Promise<void>
  /** The groups whose group wait has passed. */
  waited(now: Instant): string[]
}

/** Options of {@link createWatchedGroups}. */
export interface WatchedGroupsOptions {
  storage: Storage
  clock: Clock
  board: AlertBoard
  sightings: Sightings
  /** Called for each time groups were armed, with the duration in ms. */
  onArmed: (tookMs: number) => void
  /** Called when other processes changed groups meanwhile: arm them again soon. */
  onLeft: () => void
}

/** Creates {@link WatchedGroups}, which are empty until they are refreshed. */
export function createWatchedGroups(options: WatchedGroupsOptions): WatchedGroups {
  const { storage, clock, board, sightings, onArmed, onLeft } = options
  const members = createGroupMembers(board.routingTree)
  const timers = createGroupTimers({ clock, sightings })
  const memberView = createView({
    storage,
    clock,
    collection: alertCollection,
    projection: members,
  })
  const timerView = createView({ storage, clock, collection: groupCollection, projection: timers })
  let unarmed: readonly string[] = []

  return {
    members,
    timers,
    refresh: () => Promise.all([memberView.refresh(), timerView.refresh()]),
    refreshMembers: oneForAll(() => memberView.refresh()),
    refreshAll: oneForAll(() => memberView.refresh().then(board.refresh)),

    async arm() {
      const ids = new Set([...unarmed, ...members.takeChanged(), ...timers.takeChanged()])
      if (ids.size === 0) return
      unarmed = [...ids]
      const startedAt = clock.monotonic()
      unarmed = await armGroups(storage, unarmed, { members, timers, now: clock.now() })
      onArmed(clock.monotonic() - startedAt)
      if (unarmed.length > 0) onLeft()
      await timerView.refresh()
      for (const id of ids) {
        const route = members.group(id)?.route
        if (route !== undefined) timers.atMost(id, maxWaitMs(route))
      }
    },

    waited: (now) =>
      Array.from(members.groups())
        .filter((group) => {
          const [first] = presentAlerts(group, timers.get(group.id)?.value).sort(byArrival)
          return first !== undefined && firstDueAt(first.value, group.route) <= now
        })
        .map(({ id }) => id),
  }
}
