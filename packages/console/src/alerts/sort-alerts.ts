import type { Alert } from '@gatehouse/client'
import { compareSeverity, severityOf } from './severity.ts'

/** By what alerts are sorted: a column, or a label such as `label:team`. */
export interface Sort {
  readonly by: string
  readonly isDescending: boolean
}

/** The order without a choice: the worst first. */
const worstFirst: Sort = { by: 'severity', isDescending: false }

/** `-since` as an address has it; empty for the worst first. */
export function readSort(text: string): Sort {
  const by = text.replace(/^-/, '')
  return by === '' ? worstFirst : { by, isDescending: text.startsWith('-') }
}

/** The order after a click on the head of a column: the column, and turned round if it is sorted by it already. */
export function nextSort({ by, isDescending }: Sort, column: string): string {
  return by === column && !isDescending ? `-${column}` : column
}

type Key = string | number | undefined

/** Sorts alerts; those that are equal stay in order, and those without a value come last. */
export function sortAlerts(
  alerts: readonly Alert[],
  { by, isDescending }: Sort,
  severityLabel: string,
): readonly Alert[] {
  const keyOf = keyFor(by, severityLabel)
  const keyed = alerts.map((alert) => ({ alert, key: keyOf(alert) }))
  const sign = isDescending ? -1 : 1
  keyed.sort((a, b) => {
    if (a.key === undefined || b.key === undefined) {
      return Number(a.key === undefined) - Number(b.key === undefined)
    }
    return sign * compareKeys(a.key, b.key)
  })
  return keyed.map(({ alert }) => alert)
}

/** Numbers within names count as numbers: `host-9` is before `host-10`. */
const collator = new Intl.Collator('en', { numeric: true })

function compareKeys(a: string | number, b: string | number): number {
  if (a === b) return 0
  return typeof a === 'number' && typeof b === 'number'
    ? a - b
    : collator.compare(String(a), String(b))
}

function keyFor(by: string, severityLabel: string): (alert: Alert) => Key {
  if (by.startsWith('label:')) {
    const name = by.slice('label:'.length)
    return ({ labels }) => labels[name]
  }
  switch (by) {
    case 'name':
      return ({ labels }) => labels.alertname
    case 'receivers':
      return ({ receivers }) => receivers.map(({ name }) => name).join(', ')
    case 'state':
      return stateRank
    case 'since':
      // How long it fires: the newest is the shortest.
      return ({ startsAt }) => -Date.parse(startsAt)
    default:
      return ({ labels }) => rankOf(severityOf(labels, severityLabel))
  }
}

const rankOf = (severity: ReturnType<typeof severityOf>): number =>
  compareSeverity(severity, 'critical')

/** Those that nobody takes care of come first. */
function stateRank({ status, acknowledgement }: Alert): number {
  if (status.state !== 'suppressed') return acknowledgement === undefined ? 0 : 1
  return status.silencedBy.length > 0 ? 2 : 3
}

/** Names of labels as an address has them: `a,b`. */
export const readColumns = (text: string): readonly string[] =>
  text.split(',').flatMap((part) => {
    try {
      return part === '' ? [] : [decodeURIComponent(part)]
    } catch {
      return []
    }
  })

export const writeColumns = (names: readonly string[]): string =>
  names.map(encodeURIComponent).join(',')
