import type { Alert, LabelSet, Matcher } from '@gatehouse/client'
import { commonLabels } from '../alerts/group-alerts.ts'

/** What the form of a silence holds. Times are instants in ms. */
export interface SilenceDraft {
  readonly id?: string
  readonly matchers: readonly Matcher[]
  /** The matchers as they were written, if they cannot be read. */
  readonly text?: string
  /** How many alerts it is for, if it is for chosen ones. */
  readonly chosen?: number
  readonly startsAt?: number
  readonly endsAt?: number
  /** Whether it is active already. */
  readonly hasStarted?: boolean
  readonly createdBy?: string
  readonly comment?: string
  readonly annotations?: LabelSet
  readonly untilResolved?: boolean
  readonly remindBeforeMs?: number
}

/** A silence for exactly these alerts where that is possible: all labels of one, what is common to several. */
export function silenceOf(alerts: readonly Alert[]): SilenceDraft {
  const labels = commonLabels(alerts)
  const matchers = Object.entries(labels).map(([name, value]) => ({
    name,
    value,
    isRegex: false,
    isEqual: true,
  }))
  return { matchers: [...matchers, ...differing(alerts, labels)], chosen: alerts.length }
}

/** The alerts of a group that a silence for the group is made from: those without a silence, or all if every one has one. */
export function toSilence(alerts: readonly Alert[]): readonly Alert[] {
  const left = alerts.filter(({ status }) => status.silencedBy.length === 0)
  return left.length === 0 ? alerts : left
}

const maxValues = 50

/** For a label that every alert has with different values: a matcher for just these values. */
function differing(alerts: readonly Alert[], common: Alert['labels']): readonly Matcher[] {
  const names = Object.keys(alerts[0]?.labels ?? {}).filter((name) => !(name in common))
  return names.flatMap((name) => {
    const values = new Set(alerts.map(({ labels }) => labels[name]))
    if (values.has(undefined) || values.size > maxValues) return []
    const value = [...values]
      .sort()
      .map((one) => escapeRegex(one ?? ''))
      .join('|')
    return [{ name, value, isRegex: true, isEqual: true }]
  })
}

/** A text as a pattern of RE2 that matches just it. */
function escapeRegex(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&')
}
