import type { Logger } from '@gatehouse/core'
import type { MatcherMode, MetricLabel } from '@gatehouse/core/alerts'

/** Features of Alertmanager that have no effect here. */
const idleFeatures = ['auto-gomaxprocs', 'auto-gomemlimit']

const metricLabels: readonly (readonly [feature: string, label: MetricLabel])[] = [
  ['alert-names-in-metrics', 'alertname'],
  ['receiver-name-in-metrics', 'receiver_name'],
  ['group-key-in-metrics', 'group_key'],
]

/** The features of Alertmanager that have an effect. */
export const featureNames: readonly string[] = [
  'classic-mode',
  'utf8-strict-mode',
  ...metricLabels.map(([feature]) => feature),
  'event-recorder',
]

/** What the features of the command line select. */
export interface Features {
  readonly matcherMode: MatcherMode
  /** Labels that metrics have in addition. */
  readonly metricLabels: readonly MetricLabel[]
  /** Whether the event recorder runs. */
  readonly recordsEvents: boolean
}

/**
 * What these features select. Each item may hold several, separated by commas. Logs features that are unknown or
 * have no effect.
 *
 * @throws {Error} if two of them exclude each other.
 */
export function featuresOf(given: readonly string[], logger: Logger): Features {
  const names = given.flatMap((list) => list.split(',')).map((name) => name.trim())
  const features = new Set(names.filter((name) => name !== ''))
  const classic = features.delete('classic-mode')
  const utf8 = features.delete('utf8-strict-mode')
  if (classic && utf8) throw new Error('classic-mode and utf8-strict-mode exclude each other')
  const labels = metricLabels.filter(([feature]) => features.delete(feature))
  const recordsEvents = features.delete('event-recorder')
  for (const feature of features) {
    const message = idleFeatures.includes(feature) ? 'the feature has no effect' : 'unknown feature'
    logger.warn({ feature }, message)
  }
  return {
    matcherMode: classic ? 'classic' : utf8 ? 'utf8' : 'fallback',
    metricLabels: labels.map(([, label]) => label),
    recordsEvents,
  }
}
