import type { Alert, AlertGroup, LabelSet } from '@gatehouse/client'
import { remember } from './remember.ts'
import { compareSeverity, type Severity, severityOf } from './severity.ts'

/** By what alerts stand together: the groups of the routing tree, receivers, or the value of a label. */
export type Grouping =
  | { readonly by: 'group' | 'receiver' }
  | { readonly by: 'label'; readonly name: string }

/** Alerts that stand together on the page. */
export interface Card {
  readonly key: string
  /** What all of them have in common: labels of the group, the receiver, or the one label. */
  readonly labels: LabelSet
  readonly receiver: string | undefined
  /** Whether it is a group of the routing tree. */
  readonly isGroup: boolean
  readonly severity: Severity
  readonly alerts: readonly Alert[]
}

/** Groups as the routing tree makes them → cards: the worst first, then the ones with most alerts. */
export function cardsOf(
  groups: readonly AlertGroup[],
  grouping: Grouping,
  severityLabel?: string,
): readonly Card[] {
  const cardOf = cardsBy(severityLabel)
  const parts = grouping.by === 'group' ? groups.map(partOfGroup) : regrouped(groups, grouping)
  return parts
    .map(cardOf)
    .sort(
      (a, b) =>
        compareSeverity(a.severity, b.severity) ||
        b.alerts.length - a.alerts.length ||
        (a.key < b.key ? -1 : 1),
    )
}

type Part = Omit<Card, 'severity'>

const partOfGroup = remember(({ labels, receiver, alerts }: AlertGroup): Part => {
  const key = JSON.stringify([receiver.name, labels])
  return { key, labels, receiver: receiver.name, isGroup: true, alerts }
})

const cards = new Map<string | undefined, (part: Part) => Card>()

/** Makes cards, whose severity is in this label. */
function cardsBy(severityLabel: string | undefined): (part: Part) => Card {
  const known = cards.get(severityLabel)
  if (known !== undefined) return known
  const cardOf = remember((part: Part): Card => {
    return { ...part, severity: worst(part.alerts, severityLabel) }
  })
  cards.set(severityLabel, cardOf)
  return cardOf
}

function regrouped(groups: readonly AlertGroup[], grouping: Grouping): Part[] {
  const found = new Map<string, Map<string, Alert>>()
  for (const { receiver, alerts } of groups) {
    for (const alert of alerts) {
      const key = grouping.by === 'label' ? (alert.labels[grouping.name] ?? '') : receiver.name
      const members = found.get(key) ?? new Map<string, Alert>()
      // An alert that several routes took is in several groups.
      found.set(key, members.set(alert.fingerprint, alert))
    }
  }
  return Array.from(found, ([key, members]) => {
    const alerts = [...members.values()]
    return {
      key,
      labels: grouping.by === 'label' ? { [grouping.name]: key } : {},
      receiver: grouping.by === 'receiver' ? key : undefined,
      isGroup: false,
      alerts,
    }
  })
}

function worst(alerts: readonly Alert[], severityLabel: string | undefined): Severity {
  let found: Severity = 'other'
  for (const { labels } of alerts) {
    const severity = severityOf(labels, severityLabel)
    if (compareSeverity(severity, found) < 0) found = severity
  }
  return found
}

/** Every alert once, the newest first. */
export function alertsOf(groups: readonly AlertGroup[]): readonly Alert[] {
  const found = new Map<string, Alert>()
  for (const { alerts } of groups) for (const alert of alerts) found.set(alert.fingerprint, alert)
  return [...found.values()].sort((a, b) => (a.startsAt < b.startsAt ? 1 : -1))
}

type Labeled = Pick<Alert, 'labels'>

const nameCounts = remember((alerts: readonly Labeled[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { labels } of alerts) {
    for (const name of Object.keys(labels)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
})

/** Names of labels of the alerts in some lists, the most frequent first. */
export function labelNames(lists: readonly (readonly Labeled[])[]): readonly string[] {
  const sums = new Map<string, number>()
  for (const alerts of lists) {
    for (const [name, count] of nameCounts(alerts)) sums.set(name, (sums.get(name) ?? 0) + count)
  }
  return [...sums].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([name]) => name)
}

/** Matchers that fit exactly these alerts' common labels: what all of them share. */
export function commonLabels(alerts: readonly Alert[]): LabelSet {
  const [first, ...rest] = alerts
  if (first === undefined) return {}
  return Object.fromEntries(
    Object.entries(first.labels).filter(([name, value]) =>
      rest.every(({ labels }) => labels[name] === value),
    ),
  )
}
