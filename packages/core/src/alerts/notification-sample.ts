import type { Instant } from '../clock.ts'
import { type Labels, type StoredAlert, toLabelSet } from './alert.ts'
import { flushAlerts, toNotifiedAlert } from './dispatch/flush-alert.ts'
import {
  fingerprintOfObject,
  type LabelSet,
  labelSetFromObject,
  labelSetToObject,
  withoutEmptyValues,
} from './label-set.ts'
import type { NotifiedAlert } from './notification.ts'
import { groupLabels, type RouteNode } from './routing-tree.ts'

/** An alert that somebody makes up. */
export interface SampleAlert {
  /** Added to `alertname="TestAlert"`, which they may replace. */
  labels?: LabelSet | Labels
  /** Default none. */
  annotations?: LabelSet | Labels
  /** Default `firing`. */
  status?: 'firing' | 'resolved'
  /** Default now, of a resolved alert five minutes ago. */
  startsAt?: Instant
  /** When a resolved alert ended (default now). */
  endsAt?: Instant
  generatorURL?: string
}

/** What a notification is tried out with. */
export interface NotificationSample {
  /** Default one that fires. */
  alerts?: readonly SampleAlert[]
  /** Default: what the first route to the receiver groups by, of the first alert. */
  groupLabels?: LabelSet | Labels
}

/** How long an alert fired that nobody said more about. */
const sampleLengthMs = 300_000

/**
 * The alerts of a sample as a notification tells of them at this instant, in the order of a flush.
 *
 * @throws {RangeError} if there are none.
 */
export function sampleAlerts(sample: NotificationSample, now: Instant): readonly NotifiedAlert[] {
  const { alerts = [{}] } = sample
  if (alerts.length === 0) throw new RangeError('alerts must not be empty')
  const records = alerts.map((alert) => {
    const value = storedAlert(alert, now)
    return { id: fingerprintOfObject(value.labels), version: '', value }
  })
  return flushAlerts(records, now).map(toNotifiedAlert)
}

/** The labels of the group that a route puts these alerts into: what is given, or what follows from the first alert. */
export function sampleGroupLabels(
  { groupLabels: given }: NotificationSample,
  route: RouteNode,
  [first]: readonly NotifiedAlert[],
): LabelSet {
  if (given !== undefined) return withoutEmptyValues(toLabelSet(given))
  return groupLabels(route, labelSetFromObject(first?.labels ?? {}))
}

function storedAlert(given: SampleAlert, now: Instant): StoredAlert {
  const { labels = {}, annotations = {}, status = 'firing', generatorURL } = given
  const isResolved = status === 'resolved'
  const endsAt = isResolved ? Math.min(given.endsAt ?? now, now) : now + sampleLengthMs
  const named = { alertname: 'TestAlert', ...labelSetToObject(toLabelSet(labels)) }
  return {
    labels: labelSetToObject(withoutEmptyValues(labelSetFromObject(named))),
    annotations: labelSetToObject(toLabelSet(annotations)),
    startsAt: given.startsAt ?? (isResolved ? endsAt - sampleLengthMs : now),
    endsAt,
    updatedAt: now,
    ...(generatorURL === undefined ? {} : { generatorURL }),
  }
}
