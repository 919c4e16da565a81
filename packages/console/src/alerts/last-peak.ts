import type { FiringHistory } from '@gatehouse/client'

/**
 * The most alerts that fired at once in a history, and when the last part with as many began; `undefined` if none fired, or if only
 * one part is known, as right after the first start.
 */
export function lastPeak({
  from,
  partMs,
  peaks,
}: FiringHistory): { readonly alerts: number; readonly at: number } | undefined {
  const known = peaks.filter((peak) => peak !== null)
  const alerts = Math.max(0, ...known)
  if (known.length < 2 || alerts === 0) return
  return { alerts, at: Date.parse(from) + peaks.lastIndexOf(alerts) * partMs }
}
