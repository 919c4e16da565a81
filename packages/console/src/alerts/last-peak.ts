import type { FiringHistory } from '@gatehouse/client'

/** The most alerts that fired at once in a history, and when the last part with as many began; `undefined` if none fired. */
export function lastPeak({
  from,
  partMs,
  peaks,
}: FiringHistory): { readonly alerts: number; readonly at: number } | undefined {
  const alerts = Math.max(0, ...peaks.map((peak) => peak ?? 0))
  if (alerts === 0) return
  return { alerts, at: Date.parse(from) + peaks.lastIndexOf(alerts) * partMs }
}
