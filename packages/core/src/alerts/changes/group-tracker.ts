import { goJson, goJsonString } from '@gatehouse/go-template/json'
import type { Instant } from '../../time/clock.ts'
import type { AlertGroup } from '../board/alert-entry.ts'
import { summaryOf } from '../board/alert-group-json.ts'
import type { AlertBoard } from '../board/board.ts'
import type { AlertsConfig } from '../config/config.ts'
import { groupId } from '../dispatch/group/group.ts'
import { mutedBy } from '../routing/mute-times.ts'
import type { RouteNode } from '../routing/routing-tree.ts'
import { type AlertsChangeFrame, changeOf } from './topic.ts'

/** The parts of the service that trackers read. */
export interface TrackerOptions {
  readonly board: AlertBoard
  readonly config: { readonly current: AlertsConfig }
}

/** Finds changes of groups. */
export interface GroupTracker {
  idOf(group: AlertGroup): string
  /** The groups of the routes that a time interval has begun or ceased to mute since the last call. */
  mutedAnew(now: Instant): readonly AlertGroup[]
  /** The state of these groups, by id, in slices; if `onlyNews` is set, without what was sent already. */
  changes(
    touched: ReadonlySet<string>,
    now: Instant,
    options: { readonly onlyNews: boolean },
  ): Generator<void, AlertsChangeFrame[]>
  /** Makes the state of all groups news. */
  forget(): void
}

/** Creates a tracker of the groups of a board. */
export function createGroupTracker({ board, config }: TrackerOptions): GroupTracker {
  /** The groups that were sent, by id. */
  const sent = new Map<string, string>()
  const ids = new WeakMap<AlertGroup, string>()
  let mutes = new Map<RouteNode, string>()

  const idOf = (group: AlertGroup): string => {
    const known = ids.get(group)
    if (known !== undefined) return known
    const id = groupId(group.route, group.labels)
    ids.set(group, id)
    return id
  }

  const mutedNow = (route: RouteNode, now: Instant): readonly string[] =>
    mutedBy(route, config.current.time_intervals, now)

  return {
    idOf,

    mutedAnew(now) {
      const { nodes } = board.routingTree
      const current = new Map(nodes.map((route) => [route, mutedNow(route, now).join('\n')]))
      const changed = new Set(
        nodes.filter((route) => mutes.has(route) && mutes.get(route) !== current.get(route)),
      )
      mutes = current
      return changed.size === 0
        ? []
        : board.groups.sorted().filter(({ route }) => changed.has(route))
    },

    *changes(touched, now, { onlyNews }) {
      if (touched.size === 0) return []
      const live = new Map(board.groups.sorted().map((group) => [idOf(group), group]))
      const changes: AlertsChangeFrame[] = []
      for (const id of touched) {
        const group = live.get(id)
        if (group === undefined || group.alerts.size === 0) {
          const json = `{"id":${goJsonString(id)}}`
          sent.delete(id)
          changes.push(changeOf('alert-group-removed', 'alert-groups', { id, json }))
        } else {
          const place = { id, mutedBy: mutedNow(group.route, now) }
          const summary = summaryOf(group, place, (entry) => board.statusOf(entry, now))
          const json = goJson(summary)
          const isNews = sent.get(id) !== json
          sent.set(id, json)
          if (isNews || !onlyNews) {
            changes.push(changeOf('alert-group', 'alert-groups', { id, json, subject: group }))
          }
        }
        yield
      }
      return changes
    },

    forget: () => sent.clear(),
  }
}
