import type { Alert, AlertGroup, AlertStatus, AlertsChange } from '@gatehouse/client'
import { remember } from './remember.ts'

/** Which alerts a list has, beside the filter. */
export interface ShownStates {
  readonly active: boolean
  readonly silenced: boolean
  readonly inhibited: boolean
}

/** A list after changes. Groups without a change are the same objects as before. */
export interface Applied {
  readonly groups: readonly AlertGroup[]
  /** Alerts that the list lacks: only the server knows their groups, and whether the filter wants them. */
  readonly strangers: readonly Alert[]
  /** Whether groups went away that no alert explains, as after a change of the configuration. */
  readonly isRegrouped: boolean
}

/** Whether a list has alerts in this state. @see Alertmanager API v2, `GET /alerts/groups` */
export function isShown(
  { state, silencedBy, inhibitedBy }: AlertStatus,
  { active, silenced, inhibited }: ShownStates,
): boolean {
  if (state === 'active') return active
  return (silenced || silencedBy.length === 0) && (inhibited || inhibitedBy.length === 0)
}

/** Applies changes of alerts, the oldest first, to a list of groups. */
export function applyChanges(
  groups: readonly AlertGroup[],
  changes: readonly AlertsChange[],
  shown: ShownStates,
): Applied {
  const last = new Map<string, Alert | undefined>()
  let isUnexplained = false
  for (const { type, data } of changes) {
    if (type === 'alert') last.set(data.fingerprint, data)
    else if (type === 'alert-removed') last.set(data.fingerprint, undefined)
    else if (type === 'alert-group-removed') isUnexplained = true
  }
  if (last.size === 0) return { groups, strangers: [], isRegrouped: isUnexplained }
  const met = new Set<string>()
  const after = groups.map((group) => withLast(group, last, shown, met))
  const strangers = Array.from(last, ([fingerprint, alert]) =>
    alert === undefined || met.has(fingerprint) || !isShown(alert.status, shown) ? [] : [alert],
  ).flat()
  const isSame = after.every((group, index) => group === groups[index])
  return {
    groups: isSame ? groups : after.filter(({ alerts }) => alerts.length > 0),
    strangers,
    isRegrouped: false,
  }
}

function withLast(
  group: AlertGroup,
  last: ReadonlyMap<string, Alert | undefined>,
  shown: ShownStates,
  met: Set<string>,
): AlertGroup {
  if (!group.alerts.some(({ fingerprint }) => last.has(fingerprint))) return group
  const alerts = group.alerts.flatMap((before) => {
    const { fingerprint } = before
    if (!last.has(fingerprint)) return [before]
    const alert = last.get(fingerprint)
    if (alert === undefined || !isShown(alert.status, shown)) return []
    // Another route takes it now.
    if (!haveSameReceivers(before, alert)) return []
    met.add(fingerprint)
    // A change does not say which time intervals mute the group.
    return [{ ...alert, status: { ...alert.status, mutedBy: before.status.mutedBy } }]
  })
  return { ...group, alerts }
}

const haveSameReceivers = (a: Alert, b: Alert): boolean =>
  a.receivers.length === b.receivers.length &&
  a.receivers.every(({ name }, index) => name === b.receivers[index]?.name)

const keyOf = remember(({ receiver, labels }: AlertGroup): string =>
  JSON.stringify([receiver.name, labels]),
)

/** Adds alerts to the groups that the server has them in; those that are there already are replaced. */
export function addToGroups(
  groups: readonly AlertGroup[],
  found: readonly AlertGroup[],
): readonly AlertGroup[] {
  const added = new Map<string, AlertGroup[]>()
  for (const group of found) {
    const key = keyOf(group)
    added.set(key, [...(added.get(key) ?? []), group])
  }
  if (added.size === 0) return groups
  const after = groups.map((group) => {
    const key = keyOf(group)
    const more = added.get(key)
    if (more === undefined) return group
    added.delete(key)
    return more.reduce(joined, group)
  })
  return [...after, ...[...added.values()].flat()]
}

function joined(group: AlertGroup, more: AlertGroup): AlertGroup {
  const alerts = new Map(group.alerts.map((alert) => [alert.fingerprint, alert]))
  for (const alert of more.alerts) alerts.set(alert.fingerprint, alert)
  return { ...group, alerts: [...alerts.values()] }
}
