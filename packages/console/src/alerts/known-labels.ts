import type { LabelSet } from '@gatehouse/client'
import { labelNames } from './group-alerts.ts'

/** The part of an alert that this file reads. */
interface Labeled {
  readonly labels: LabelSet
}

/** Names of labels and their values, to complete from. */
export interface KnownLabels {
  readonly names: readonly string[]
  valuesOf(name: string): readonly string[]
}

/** Names and values of the alerts' labels, for completion. */
export function knownLabels(alerts: readonly Labeled[]): KnownLabels {
  const values = new Map<string, readonly string[]>()
  return {
    names: labelNames([alerts]),
    valuesOf(name) {
      const found = values.get(name) ?? valuesIn(alerts, name)
      values.set(name, found)
      return found
    },
  }
}

function valuesIn(alerts: readonly Labeled[], name: string): readonly string[] {
  const found = new Set<string>()
  for (const { labels } of alerts) {
    const value = labels[name]
    if (value !== undefined) found.add(value)
  }
  return [...found].sort()
}
