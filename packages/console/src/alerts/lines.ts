import type { Alert, AlertGroup } from '@gatehouse/client'
import { type Card, cardsOf, commonLabels, type Grouping } from './group-alerts.ts'
import { remember } from './remember.ts'
import { compareSeverity, type Severity } from './severity.ts'

/** Groups whose alerts have one value of a label. */
export interface Section {
  readonly key: string
  readonly label: string
  /** Empty for alerts without the label. */
  readonly value: string
  readonly severity: Severity
  readonly count: number
  readonly cards: readonly Card[]
}

/** A line of the dense list. A group of one alert has no line of its own. */
export type Line =
  | { readonly kind: 'section'; readonly key: string; readonly section: Section }
  | { readonly kind: 'group'; readonly key: string; readonly card: Card; readonly shared: Shared }
  | {
      readonly kind: 'alert'
      readonly key: string
      readonly alert: Alert
      readonly card: Card
      /** Names of labels that the line of the group has. */
      readonly shared: readonly string[]
    }

/** The labels that all alerts of a group have. */
type Shared = Card['labels']

/** Groups → sections by the values of a label, the worst first, then the ones with most alerts. */
export function sectionsOf(
  groups: readonly AlertGroup[],
  label: string,
  grouping: Grouping,
  severityLabel?: string,
): readonly Section[] {
  const found = new Map<string, AlertGroup[]>()
  for (const group of groups) {
    const parts = new Map<string, Alert[]>()
    for (const alert of group.alerts) {
      const value = alert.labels[label] ?? ''
      const part = parts.get(value)
      if (part === undefined) parts.set(value, [alert])
      else part.push(alert)
    }
    for (const [value, alerts] of parts) {
      const section = found.get(value) ?? []
      found.set(value, section)
      section.push({ ...group, alerts })
    }
  }
  return Array.from(found, ([value, members]): Section => {
    const cards = cardsOf(members, grouping, severityLabel)
    const alerts = cards.flatMap((card) => card.alerts.map(({ fingerprint }) => fingerprint))
    return {
      key: JSON.stringify([label, value]),
      label,
      value,
      severity: cards[0]?.severity ?? 'other',
      count: new Set(alerts).size,
      cards,
    }
  }).sort(
    (a, b) =>
      compareSeverity(a.severity, b.severity) || b.count - a.count || (a.value < b.value ? -1 : 1),
  )
}

/** The lines of cards, in their sections or without. */
export function linesOf(
  parts: readonly Section[] | readonly Card[],
  isFolded: (key: string) => boolean,
): readonly Line[] {
  const lines: Line[] = []
  for (const part of parts) {
    if (!('cards' in part)) {
      addLines(lines, ownLines(part), isFolded)
      continue
    }
    lines.push({ kind: 'section', key: part.key, section: part })
    if (isFolded(part.key)) continue
    for (const card of part.cards) addLines(lines, linesOfCard(card, part.key + card.key), isFolded)
  }
  return lines
}

function addLines(lines: Line[], added: readonly Line[], isFolded: (key: string) => boolean): void {
  const [first] = added
  if (first?.kind === 'group' && isFolded(first.key)) lines.push(first)
  else for (const line of added) lines.push(line)
}

/** The lines of a card that is not folded. */
function linesOfCard(card: Card, key: string): readonly Line[] {
  const isGroup = card.alerts.length > 1
  const shared: Shared = isGroup ? { ...commonOf(card.alerts), ...card.labels } : {}
  const names = Object.keys(shared)
  const lines = card.alerts.map((alert): Line => {
    return { kind: 'alert', key: `${key} ${alert.fingerprint}`, alert, card, shared: names }
  })
  return isGroup ? [{ kind: 'group', key, card, shared }, ...lines] : lines
}

const ownLines = remember((card: Card) => linesOfCard(card, card.key))

const commonOf = remember(commonLabels)
