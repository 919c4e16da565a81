import { formatDateTime } from '../../time/date-time.ts'
import { labelSetToObject } from '../alert/label-set.ts'
import { groupKey } from '../routing/group-key.ts'
import type * as wire from '../wire/types.generated.ts'
import type { AlertEntry, AlertGroup, AlertStatus } from './alert-entry.ts'
import { alertState } from './alert-status.ts'

/** An alert group without its alerts. */
export type AlertGroupSummary = wire.AlertGroupSummary

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
