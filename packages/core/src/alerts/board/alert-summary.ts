import { goJson } from '@gatehouse/go-template/json'
import type { Instant } from '../../time/clock.ts'
import type { AlertEntry, AlertStatus } from './alert-entry.ts'

/** How many alerts have a value. */
export interface ValueCount {
  readonly value: string
  readonly alerts: number
}

/** A label that alerts have, with its most frequent values. */
export interface LabelCounts {
  readonly name: string
  /** The alerts that have the label. */
  readonly alerts: number
  /** How many different values it has. */
  readonly distinct: number
  /** The most frequent first. */
  readonly values: readonly ValueCount[]
}

/** Numbers of alerts. An alert may be silenced and inhibited, so `silenced` and `inhibited` may have more together than `suppressed`. */
export interface AlertSummary {
  /** `active` and `suppressed` together. */
  readonly total: number
  readonly active: number
  readonly suppressed: number
  readonly silenced: number
  readonly inhibited: number
  readonly acknowledged: number
  /** The alerts that started in the last 15 minutes. */
  readonly recent: number
  /** By the label that says how severe alerts are, the most severe first; `""` for alerts without it. */
  readonly severities: readonly ValueCount[]
  /** By name, the most frequent first. An alert may have several. */
  readonly receivers: readonly ValueCount[]
  /** The labels that most alerts have first. */
  readonly labels: readonly LabelCounts[]
}

/** Which label says how severe an alert is, and its values, the least severe first. */
export interface SeverityOrder {
  readonly severityLabel: string
  readonly severities: readonly string[]
}

/** Alerts that started within this time are recent, in ms. */
const recentMs = 900_000

/** An answer has at most 50 kB: 20 labels with 10 values of 128 bytes, and so on. */
const maxLabels = 20
const maxValues = 10
const maxReceivers = 20
const maxSeverities = 20
/** In bytes of JSON. */
const maxTextLength = 128

/** Counts alerts one by one. */
export class AlertCounter {
  readonly #now: Instant
  readonly #severity: SeverityOrder
  #total = 0
  #active = 0
  #silenced = 0
  #inhibited = 0
  #acknowledged = 0
  #recent = 0
  readonly #severities = new Map<string, number>()
  readonly #receivers = new Map<string, number>()
  readonly #labels = new Map<string, Map<string, number>>()

  constructor(severity: SeverityOrder, now: Instant) {
    this.#severity = severity
    this.#now = now
  }

  /** Counts an alert, with its status now. */
  add({ labels, alert, routeSet }: AlertEntry, status: AlertStatus): void {
    const { silencedBy, inhibitedBy, acknowledgement } = status
    const isSilenced = silencedBy.length > 0
    const isInhibited = inhibitedBy.length > 0
    this.#total++
    if (isSilenced) this.#silenced++
    if (isInhibited) this.#inhibited++
    if (!(isSilenced || isInhibited)) this.#active++
    if (acknowledgement !== undefined) this.#acknowledged++
    if (alert.startsAt > this.#now - recentMs) this.#recent++
    count(this.#severities, labels.get(this.#severity.severityLabel) ?? '')
    for (const name of new Set(routeSet?.receivers)) count(this.#receivers, name)
    for (const [name, value] of labels) {
      let values = this.#labels.get(name)
      if (values === undefined) {
        values = new Map()
        this.#labels.set(name, values)
      }
      count(values, value)
    }
  }

  /** The numbers, in slices. */
  *finish(): Generator<void, AlertSummary> {
    const counted: CountedLabel[] = []
    for (const [name, values] of this.#labels) {
      let alerts = 0
      for (const number of values.values()) alerts += number
      keepIfTop(counted, { name, alerts, values }, compareLabels, maxLabels)
      yield
    }
    const labels: LabelCounts[] = []
    for (const { name, alerts, values } of counted) {
      labels.push({ name, alerts, distinct: values.size, values: topOf(values, maxValues) })
      yield
    }
    const { severities } = this.#severity
    const rank = ({ value }: ValueCount): number => severities.indexOf(value)
    return {
      total: this.#total,
      active: this.#active,
      suppressed: this.#total - this.#active,
      silenced: this.#silenced,
      inhibited: this.#inhibited,
      acknowledged: this.#acknowledged,
      recent: this.#recent,
      severities: topOf(this.#severities, maxSeverities).sort((a, b) => rank(b) - rank(a)),
      receivers: topOf(this.#receivers, maxReceivers),
      labels,
    }
  }
}

function count(counts: Map<string, number>, value: string): void {
  counts.set(value, (counts.get(value) ?? 0) + 1)
}

interface CountedLabel {
  readonly name: string
  readonly alerts: number
  readonly values: ReadonlyMap<string, number>
}

/** The most frequent values. Values that are too long to be shown, and to be chosen by hand, are left out. */
function topOf(counts: ReadonlyMap<string, number>, max: number): ValueCount[] {
  const top: ValueCount[] = []
  for (const [value, alerts] of counts) keepIfTop(top, { value, alerts }, compareCounts, max)
  return top
}

/** Inserts one into a list of the first in an order, unless it comes after all that the list may have, or its text is too long. */
function keepIfTop<One extends ValueCount | CountedLabel>(
  top: One[],
  one: One,
  compare: (a: One, b: One) => number,
  max: number,
): void {
  const last = top[max - 1]
  if (last !== undefined && compare(last, one) < 0) return
  if (!isShort('name' in one ? one.name : one.value)) return
  const at = top.findIndex((other) => compare(one, other) < 0)
  top.splice(at < 0 ? top.length : at, 0, one)
  if (top.length > max) top.pop()
}

/** Whether a text is short as JSON, where a character may have six bytes. */
function isShort(text: string): boolean {
  return (
    text.length <= maxTextLength &&
    encoder.encode(goJson(text)).length <= maxTextLength + '""'.length
  )
}

const encoder = new TextEncoder()

const compareCounts = (a: ValueCount, b: ValueCount): number =>
  b.alerts - a.alerts || (a.value < b.value ? -1 : 1)

/** Labels of the most alerts first. Of two labels with equal numbers the one with fewer values is first: it divides alerts better. */
const compareLabels = (a: CountedLabel, b: CountedLabel): number =>
  b.alerts - a.alerts || a.values.size - b.values.size || (a.name < b.name ? -1 : 1)
