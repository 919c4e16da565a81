import type { Logger } from '@gatehouse/core'
import type { MatcherMode } from '@gatehouse/core/alerts'

/** Features of Alertmanager that have no effect here. */
const idleFeatures = [
  'alert-names-in-metrics',
  'receiver-name-in-metrics',
  'group-key-in-metrics',
  'auto-gomaxprocs',
  'auto-gomemlimit',
  'event-recorder',
]

/**
 * The matcher mode that these features select. Each item may hold several, separated by commas. Logs features that are unknown or
 * have no effect.
 *
 * @throws {Error} if two of them exclude each other.
 */
export function matcherModeOf(given: readonly string[], logger: Logger): MatcherMode {
  const names = given.flatMap((list) => list.split(',')).map((name) => name.trim())
  const features = new Set(names.filter((name) => name !== ''))
  const classic = features.delete('classic-mode')
  const utf8 = features.delete('utf8-strict-mode')
  if (classic && utf8) throw new Error('classic-mode and utf8-strict-mode exclude each other')
  for (const feature of features) {
    const message = idleFeatures.includes(feature) ? 'the feature has no effect' : 'unknown feature'
    logger.warn({ feature }, message)
  }
  if (classic) return 'classic'
  return utf8 ? 'utf8' : 'fallback'
}
