import type { AlertSummary } from '@gatehouse/client'
import type { ShownAlert } from './merge-servers.ts'
import { isRecent } from './recent.ts'
import { compareSeverity, severityOf } from './severity.ts'

type Counts = Map<string, number>
type Summary = Omit<AlertSummary, 'receivers'>

const maxLabels = 20
const maxValues = 10
const maxSeverities = 20

/** The numbers of a list, as the server has them for its own alerts. */
export function summarize(
  alerts: readonly ShownAlert[],
  severityLabel: string,
  now: number,
): Summary {
  const severities: Counts = new Map()
  const labelCounts = new Map<string, Counts>()
  const states = { silenced: 0, inhibited: 0, suppressed: 0, acknowledged: 0, recent: 0 }
  for (const { labels, status, acknowledgement, startsAt } of alerts) {
    const [isSilenced, isInhibited] = [status.silencedBy.length > 0, status.inhibitedBy.length > 0]
    if (isSilenced) states.silenced++
    if (isInhibited) states.inhibited++
    if (isSilenced || isInhibited) states.suppressed++
    if (acknowledgement !== undefined) states.acknowledged++
    if (isRecent(startsAt, now)) states.recent++
    add(severities, labels[severityLabel] ?? '')
    for (const [name, value] of Object.entries(labels)) {
      const counts = labelCounts.get(name) ?? new Map()
      labelCounts.set(name, counts)
      add(counts, value)
    }
  }
  const rankOf = (value: string) => severityOf({ severity: value })
  return {
    total: alerts.length,
    active: alerts.length - states.suppressed,
    ...states,
    severities: topOf(severities, maxSeverities).sort((a, b) =>
      compareSeverity(rankOf(a.value), rankOf(b.value)),
    ),
    labels: Array.from(labelCounts, ([name, counts]) => ({
      name,
      alerts: [...counts.values()].reduce((sum, one) => sum + one, 0),
      distinct: counts.size,
      values: topOf(counts, maxValues),
    }))
      .sort((a, b) => b.alerts - a.alerts || (a.name < b.name ? -1 : 1))
      .slice(0, maxLabels),
  }
}

const add = (counts: Counts, value: string): void => {
  counts.set(value, (counts.get(value) ?? 0) + 1)
}

const topOf = (counts: Counts, most: number): { value: string; alerts: number }[] =>
  Array.from(counts, ([value, alerts]) => ({ value, alerts }))
    .sort((a, b) => b.alerts - a.alerts || (a.value < b.value ? -1 : 1))
    .slice(0, most)
