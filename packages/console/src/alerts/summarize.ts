import type { AlertGroup, AlertSummary } from '@gatehouse/client'
import type { ShownAlert } from './merge-servers.ts'
import { isRecent } from './recent.ts'
import { compareSeverity, severityOf } from './severity.ts'

type Summary = Omit<AlertSummary, 'receivers'>
type Counts = Map<string, number>

interface Count {
  readonly value: string
  readonly alerts: number
}

/** A label of the counted alerts. */
interface LabelCounts {
  readonly values: Counts
  alerts: number
  /** The most frequent values, unless they may have changed since. */
  top: readonly Count[] | undefined
}

const maxLabels = 20
const maxValues = 10
const maxSeverities = 20

/**
 * Creates what counts the alerts of groups, each once, as the server counts its own. It looks only at groups that have come and gone
 * since the last time: one that has changed is another object.
 */
export function createSummarizer(
  severityLabel: string,
): (groups: readonly AlertGroup[], now: number) => Summary {
  const severities: Counts = new Map()
  const starts: Counts = new Map()
  const labels = new Map<string, LabelCounts>()
  const states = { silenced: 0, inhibited: 0, suppressed: 0, acknowledged: 0 }
  /** Alerts with the number of groups that have them: several routes may take one. */
  const members = new Map<string, { readonly alert: ShownAlert; groups: number }>()
  let counted: ReadonlySet<AlertGroup> = new Set()

  const count = (alert: ShownAlert, by: 1 | -1): void => {
    const { status, acknowledgement, startsAt } = alert
    const [isSilenced, isInhibited] = [status.silencedBy.length > 0, status.inhibitedBy.length > 0]
    if (isSilenced) states.silenced += by
    if (isInhibited) states.inhibited += by
    if (isSilenced || isInhibited) states.suppressed += by
    if (acknowledgement !== undefined) states.acknowledged += by
    add(starts, startsAt, by)
    add(severities, alert.labels[severityLabel] ?? '', by)
    for (const [name, value] of Object.entries(alert.labels)) {
      const label = labels.get(name) ?? { values: new Map(), alerts: 0, top: undefined }
      label.alerts += by
      label.top = undefined
      add(label.values, value, by)
      if (label.alerts === 0) labels.delete(name)
      else labels.set(name, label)
    }
  }
  const enter = ({ alerts }: AlertGroup): void => {
    for (const alert of alerts) {
      const member = members.get(alert.fingerprint) ?? { alert, groups: 0 }
      if (member.groups === 0) count(alert, 1)
      member.groups++
      members.set(alert.fingerprint, member)
    }
  }
  const leave = ({ alerts }: AlertGroup): void => {
    for (const { fingerprint } of alerts) {
      const member = members.get(fingerprint)
      if (member === undefined || --member.groups > 0) continue
      members.delete(fingerprint)
      count(member.alert, -1)
    }
  }

  return (groups, now) => {
    const wanted = new Set(groups)
    for (const group of counted) if (!wanted.has(group)) leave(group)
    for (const group of wanted) if (!counted.has(group)) enter(group)
    counted = wanted
    return {
      total: members.size,
      active: members.size - states.suppressed,
      ...states,
      recent: recentOf(starts, now),
      severities: topOf(severities, maxSeverities).toSorted((a, b) =>
        compareSeverity(rankOf(a.value), rankOf(b.value)),
      ),
      labels: topLabels(labels),
    }
  }
}

const rankOf = (value: string) => severityOf({ severity: value })

function topLabels(labels: ReadonlyMap<string, LabelCounts>): Summary['labels'] {
  return [...labels]
    .sort(([a, m], [b, n]) => n.alerts - m.alerts || (a < b ? -1 : 1))
    .slice(0, maxLabels)
    .map(([name, label]) => {
      label.top ??= topOf(label.values, maxValues)
      return { name, alerts: label.alerts, distinct: label.values.size, values: label.top }
    })
}

function recentOf(starts: Counts, now: number): number {
  let found = 0
  for (const [startsAt, alerts] of starts) if (isRecent(startsAt, now)) found += alerts
  return found
}

function add(counts: Counts, value: string, by: number): void {
  const sum = (counts.get(value) ?? 0) + by
  if (sum === 0) counts.delete(value)
  else counts.set(value, sum)
}

const topOf = (counts: Counts, most: number): readonly Count[] =>
  Array.from(counts, ([value, alerts]) => ({ value, alerts }))
    .sort((a, b) => b.alerts - a.alerts || (a.value < b.value ? -1 : 1))
    .slice(0, most)
