import { formatDateTime } from '../../time/date-time.ts'
import type { Labels } from '../alert/alert.ts'
import { labelSetToObject } from '../alert/label-set.ts'
import { groupKey } from '../routing/group-key.ts'
import type { AlertEntry, AlertGroup, AlertStatus } from './alert-entry.ts'
import { alertState } from './alert-status.ts'

/** An alert group without its alerts. */
export interface AlertGroupSummary {
  /** Identifies the group among all groups. */
  id: string
  /** As in notifications and in their history; groups of several routes may share it. */
  groupKey: string
  labels: Labels
  receiver: { readonly name: string }
  /** The names of the time intervals that mute it. */
  mutedBy: readonly string[]
  /** The number of its alerts: of all, of those that nothing suppresses, and of the others. */
  counts: { readonly all: number; readonly active: number; readonly suppressed: number }
  /** The earliest start of its alerts, as RFC 3339. */
  startsAt: string
}

/** The summary of a group that has alerts. */
export function summaryOf(
  group: AlertGroup,
  { id, mutedBy }: { readonly id: string; readonly mutedBy: readonly string[] },
  statusOf: (entry: AlertEntry) => AlertStatus,
): AlertGroupSummary {
  let active = 0
  let first = Number.POSITIVE_INFINITY
  for (const entry of group.alerts) {
    if (alertState(statusOf(entry), mutedBy) === 'active') active++
    if (entry.alert.startsAt < first) first = entry.alert.startsAt
  }
  const all = group.alerts.size
  return {
    id,
    groupKey: groupKey(group.route, group.labels),
    labels: labelSetToObject(group.labels),
    receiver: { name: group.route.receiver },
    mutedBy,
    counts: { all, active, suppressed: all - active },
    startsAt: formatDateTime(first),
  }
}
