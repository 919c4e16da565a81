import { goJsonString } from '@gatehouse/go-template/json'
import type { Instant } from '../../time/clock.ts'
import { haveSameContent, type StoredAlert } from '../alert/alert.ts'
import { type LabelSet, labelSetFromObject } from '../alert/label-set.ts'
import type { AlertEntry, AlertGroup, AlertStatus } from '../board/alert-entry.ts'
import { alertItem } from '../board/alert-json.ts'
import { groupId } from '../dispatch/group/group.ts'
import { groupLabels, routesFor } from '../routing/routing-tree.ts'
import { createGroupTracker, type TrackerOptions } from './group-tracker.ts'
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

const alertsPerStep = 100

/** Creates a tracker. It remembers what listeners know of each alert: a record, not the JSON. */
export function createAlertTracker(options: TrackerOptions): AlertTracker {
  const { board } = options
  const shown = new Map<string, ShownAlert>()
  const groups = createGroupTracker(options)
  let isFirst = true

  const note = (entry: AlertEntry, status: AlertStatus): void => {
    const { labels, alert, routeSet } = entry
    const receivers = routeSet?.receiversJson
    shown.set(entry.fingerprint, { labels, alert, status, receivers, groups: entry.groups })
  }

  return {
    *look(now, wantsGroups) {
      const wasFirst = isFirst
      isFirst = false
      const changes: AlertsChangeFrame[] = []
      const touched = new Set(groups.mutedAnew(now).map(groups.idOf))
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
        for (const group of before?.groups ?? []) touched.add(groups.idOf(group))
        for (const group of entry.groups) touched.add(groups.idOf(group))
      }
      for (const [fingerprint, gone] of shown) {
        if (++looked % alertsPerStep === 0) yield
        if (board.alerts.isFiring(fingerprint)) continue
        shown.delete(fingerprint)
        changes.push(removedAlert(fingerprint, gone.labels))
        for (const group of gone.groups) touched.add(groups.idOf(group))
      }
      // Changes that no listener got are new to later listeners.
      if (!wantsGroups) {
        groups.forget()
        return changes
      }
      return [...changes, ...(yield* groups.changes(touched, now, { onlyNews: true }))]
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
          for (const group of entry.groups) touched.add(groups.idOf(group))
        }
        yield
      }
      return [...changes, ...(yield* groups.changes(touched, now, { onlyNews: false }))]
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
