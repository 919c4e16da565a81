import type { Alert, LabelSet, Matcher, TimeInterval } from '@gatehouse/client'
import { commonLabels } from '../alerts/group-alerts.ts'

/** What the form of a silence holds. Times are instants in ms. */
export interface SilenceDraft {
  readonly id?: string
  readonly matchers: readonly Matcher[]
  /** The matchers as they were written, if they cannot be read. */
  readonly text?: string
  /** Fingerprints of the alerts that it is for, if it is for chosen ones. */
  readonly chosen?: readonly string[]
  /** Labels with too many values for a matcher: without one, the silence covers all their values. */
  readonly leftOut?: readonly string[]
  readonly startsAt?: number
  readonly endsAt?: number
  /** Whether it is active already. */
  readonly hasStarted?: boolean
  readonly createdBy?: string
  readonly comment?: string
  readonly annotations?: LabelSet
  readonly untilResolved?: boolean
  readonly remindBeforeMs?: number
  /** The recurring silence that is changed. */
  readonly recurring?: {
    readonly id: string
    readonly timeIntervals: readonly TimeInterval[]
    readonly silenceIds: readonly string[]
  }
}

/** Whether a draft is for a silence that does not exist yet. */
export const isNewDraft = ({ id, recurring }: SilenceDraft): boolean =>
  id === undefined && recurring === undefined

/** A silence for exactly these alerts where that is possible: all labels of one, what is common to several. */
export function silenceOf(alerts: readonly Alert[]): SilenceDraft {
  const labels = commonLabels(alerts)
  const matchers = Object.entries(labels).map(([name, value]) => ({
    name,
    value,
    isRegex: false,
    isEqual: true,
  }))
  const { matchers: own, leftOut } = differing(alerts, labels)
  return {
    matchers: [...matchers, ...own],
    chosen: alerts.map(({ fingerprint }) => fingerprint),
    leftOut,
  }
}

/** The alerts of a group that a silence for the group is made from: those without a silence, or all if every one has one. */
export function toSilence(alerts: readonly Alert[]): readonly Alert[] {
  const left = alerts.filter(({ status }) => status.silencedBy.length === 0)
  return left.length === 0 ? alerts : left
}

/** A pattern of more values would be long to read and to match. */
const maxValues = 50

/** For a label that every alert has with different values: a matcher for just these values. */
function differing(
  alerts: readonly Alert[],
  common: Alert['labels'],
): { readonly matchers: readonly Matcher[]; readonly leftOut: readonly string[] } {
  const matchers: Matcher[] = []
  const leftOut: string[] = []
  for (const name of Object.keys(alerts[0]?.labels ?? {})) {
    const values = new Set(alerts.map(({ labels }) => labels[name]))
    if (name in common || values.has(undefined)) continue
    const value = [...values]
      .sort()
      .map((one) => escapeRegex(one ?? ''))
      .join('|')
    if (values.size > maxValues) leftOut.push(name)
    else matchers.push({ name, value, isRegex: true, isEqual: true })
  }
  return { matchers, leftOut }
}

/** A text as a pattern of RE2 that matches just it. */
function escapeRegex(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&')
}
