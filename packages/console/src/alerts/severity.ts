import type { LabelSet } from '@gatehouse/client'

/** How bad an alert is, as far as colours go. */
export type Severity = 'critical' | 'warning' | 'info' | 'other'

const words: Readonly<Record<string, Severity>> = {
  critical: 'critical',
  page: 'critical',
  emergency: 'critical',
  p0: 'critical',
  p1: 'critical',
  error: 'critical',
  high: 'critical',
  warning: 'warning',
  warn: 'warning',
  medium: 'warning',
  p2: 'warning',
  info: 'info',
  low: 'info',
  none: 'info',
  p3: 'info',
  p4: 'info',
  p5: 'info',
}

const order: readonly Severity[] = ['critical', 'warning', 'info', 'other']

export function severityOf(labels: LabelSet, label = 'severity'): Severity {
  return words[labels[label]?.toLowerCase() ?? ''] ?? 'other'
}

/** Worst first. */
export const compareSeverity = (a: Severity, b: Severity): number =>
  order.indexOf(a) - order.indexOf(b)
