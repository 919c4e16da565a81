import { goJson, goJsonString } from '@gatehouse/go-template/json'
import type { Instant } from '../../time/clock.ts'
import { haveSameContent, type StoredAlert } from '../alert/alert.ts'
import { type LabelSet, labelSetFromObject } from '../alert/label-set.ts'
import type { AlertEntry, AlertGroup, AlertStatus } from '../board/alert-entry.ts'
import { summaryOf } from '../board/alert-group-json.ts'
import { alertItem } from '../board/alert-json.ts'
import type { AlertBoard } from '../board/board.ts'
import type { AlertsConfig } from '../config/config.ts'
import { groupId } from '../dispatch/group/group.ts'
import { mutedBy } from '../routing/mute-times.ts'
import { groupLabels, type RouteNode, routesFor } from '../routing/routing-tree.ts'
import { type AlertsChangeFrame, changeOf } from './topic.ts'

/** What listeners know of an alert. */
interface ShownAlert {
  readonly labels: LabelSet
  readonly alert: StoredAlert
  readonly status: AlertStatus
  readonly receivers: string | undefined
  readonly groups: readonly AlertGroup[]
}

/** Finds changes of firing alerts and of their groups. */
export interface AlertTracker {
  /** The changes since the last call, in slices; those of groups only if wanted. The first call only remembers the state. */
  look(now: Instant, wantsGroups: boolean): Generator<void, AlertsChangeFrame[]>
  /** The current state of these alerts and of their groups, as changes. */
  stateOf(fingerprints: Iterable<string>, now: Instant): Generator<void, AlertsChangeFrame[]>
}

/** The parts of the service that a tracker reads. */
export interface AlertTrackerOptions {
  readonly board: AlertBoard
  readonly config: { readonly current: AlertsConfig }
}

const alertsPerStep = 100

/** Creates a tracker. It remembers what listeners know of each alert: a record, not the JSON. */
export function createAlertTracker({ board, config }: AlertTrackerOptions): AlertTracker {
  const shown = new Map<string, ShownAlert>()
  /** The groups that were sent, by id. */
  const sentGroups = new Map<string, string>()
  const ids = new WeakMap<AlertGroup, string>()
  let mutes = new Map<RouteNode, string>()
  let isFirst = true

  const idOf = (group: AlertGroup): string => {
    const known = ids.get(group)
    if (known !== undefined) return known
    const id = groupId(group.route, group.labels)
    ids.set(group, id)
    return id
  }

  const mutedNow = (route: RouteNode, now: Instant): readonly string[] =>
    mutedBy(route, config.current.time_intervals, now)

  /** The groups of the routes that a time interval has begun or ceased to mute. */
  const mutedAnew = (now: Instant): AlertGroup[] => {
    const { nodes } = board.routingTree
    const current = new Map(nodes.map((route) => [route, mutedNow(route, now).join('\n')]))
    const changed = new Set(
      nodes.filter((route) => mutes.has(route) && mutes.get(route) !== current.get(route)),
    )
    mutes = current
    return changed.size === 0 ? [] : board.groups.sorted().filter(({ route }) => changed.has(route))
  }

  function* groupChanges(
    touched: ReadonlySet<string>,
    now: Instant,
    onlyNews: boolean,
  ): Generator<void, AlertsChangeFrame[]> {
    if (touched.size === 0) return []
    const live = new Map(board.groups.sorted().map((group) => [idOf(group), group]))
    const changes: AlertsChangeFrame[] = []
    for (const id of touched) {
      const group = live.get(id)
      if (group === undefined || group.alerts.size === 0) {
        const json = `{"id":${goJsonString(id)}}`
        sentGroups.delete(id)
        changes.push(changeOf('alert-group-removed', 'alert-groups', { id, json }))
      } else {
        const place = { id, mutedBy: mutedNow(group.route, now) }
        const summary = summaryOf(group, place, (entry) => board.statusOf(entry, now))
        const json = goJson(summary)
        const isNews = sentGroups.get(id) !== json
        sentGroups.set(id, json)
        if (isNews || !onlyNews) {
          changes.push(changeOf('alert-group', 'alert-groups', { id, json, subject: group }))
        }
      }
      yield
    }
    return changes
  }

  const note = (entry: AlertEntry, status: AlertStatus): void => {
    const { labels, alert, routeSet, groups } = entry
    shown.set(entry.fingerprint, {
      labels,
      alert,
      status,
      receivers: routeSet?.receiversJson,
      groups,
    })
  }

  return {
    *look(now, wantsGroups) {
      const wasFirst = isFirst
      isFirst = false
      const changes: AlertsChangeFrame[] = []
      const touched = new Set(mutedAnew(now).map(idOf))
      let looked = 0
      for (const entry of board.alerts.all()) {
        if (++looked % alertsPerStep === 0) yield
        // It may have stopped firing since the list was made.
        if (entry.routeSet === undefined) continue
        const before = shown.get(entry.fingerprint)
        const status = board.statusOf(entry, now)
        const isRerouted = before?.groups !== entry.groups
        if (isSame(before, entry, status) && !isRerouted) {
          if (before.alert !== entry.alert) note(entry, status)
          continue
        }
        note(entry, status)
        if (wasFirst) continue
        if (!isSame(before, entry, status)) changes.push(alertChange(entry, status))
        for (const group of before?.groups ?? []) touched.add(idOf(group))
        for (const group of entry.groups) touched.add(idOf(group))
      }
      for (const [fingerprint, { labels, groups }] of shown) {
        if (++looked % alertsPerStep === 0) yield
        if (board.alerts.isFiring(fingerprint)) continue
        shown.delete(fingerprint)
        changes.push(removedAlert(fingerprint, labels))
        for (const group of groups) touched.add(idOf(group))
      }
      // Changes that no listener got are new to later listeners.
      if (!wantsGroups) sentGroups.clear()
      return wantsGroups ? [...changes, ...(yield* groupChanges(touched, now, true))] : changes
    },

    *stateOf(fingerprints, now) {
      const entries = new Map(board.alerts.all().map((entry) => [entry.fingerprint, entry]))
      const changes: AlertsChangeFrame[] = []
      const touched = new Set<string>()
      for (const fingerprint of fingerprints) {
        const entry = entries.get(fingerprint)
        if (entry === undefined) {
          const stored = board.alerts.stored.get(fingerprint)
          const labels = stored && labelSetFromObject(stored.value.labels)
          changes.push(removedAlert(fingerprint, labels))
          if (labels === undefined) continue
          for (const route of routesFor(board.routingTree, labels)) {
            touched.add(groupId(route, groupLabels(route, labels)))
          }
        } else {
          changes.push(alertChange(entry, board.statusOf(entry, now)))
          for (const group of entry.groups) touched.add(idOf(group))
        }
        yield
      }
      return [...changes, ...(yield* groupChanges(touched, now, false))]
    },
  }
}

function isSame(
  before: ShownAlert | undefined,
  { alert, routeSet }: AlertEntry,
  status: AlertStatus,
): before is ShownAlert {
  if (before === undefined || before.status !== status) return false
  if (before.receivers !== routeSet?.receiversJson) return false
  if (before.alert === alert) return true
  // An alert that was only posted again is not news: its end and its update move with every evaluation of its rule.
  return before.alert.startsAt === alert.startsAt && haveSameContent(before.alert, alert)
}

function alertChange(entry: AlertEntry, status: AlertStatus): AlertsChangeFrame {
  const { item } = alertItem(entry, status)
  // Without the comma of the list.
  const json = Buffer.from(item.buffer, item.byteOffset + 1, item.length - 1).toString()
  return changeOf('alert', 'alerts', { id: entry.fingerprint, json, subject: entry.labels })
}

function removedAlert(fingerprint: string, subject: LabelSet | undefined): AlertsChangeFrame {
  const json = `{"fingerprint":${goJsonString(fingerprint)}}`
  return changeOf('alert-removed', 'alerts', { id: fingerprint, json, subject })
}
