import { compareBytes } from '@gatehouse/go-template/text'
import type { TypedRecord } from '../../storage/collection.ts'
import type { Version } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import { acknowledgementAt } from '../alert/acknowledgement.ts'
import { isResolved, type StoredAlert } from '../alert/alert.ts'
import { compareLabelSets, type LabelSet, labelSetFromObject } from '../alert/label-set.ts'
import type { NotifiedAlert } from './notification.ts'

/** A snapshot of an alert for one flush; later changes of the alert do not affect it. */
export interface FlushAlert {
  readonly fingerprint: string
  readonly version: Version
  readonly labels: LabelSet
  readonly isResolved: boolean
  readonly alert: StoredAlert
}

/** The alerts of a group at its tick, in the order of the notification. */
export function flushAlerts(
  records: Iterable<TypedRecord<StoredAlert>>,
  now: Instant,
): readonly FlushAlert[] {
  const alerts = Array.from(records, ({ id, version, value }) => ({
    fingerprint: id,
    version,
    labels: labelSetFromObject(value.labels),
    isResolved: isResolved(value, now),
    alert: value,
  }))
  if (alerts.length < 2) return alerts
  return alerts.sort(
    (a, b) =>
      compareLabel(a, b, 'job') ||
      compareLabel(a, b, 'instance') ||
      compareLabelSets(a.labels, b.labels),
  )
}

/** Orders an alert with the label before one without it. */
function compareLabel(a: FlushAlert, b: FlushAlert, name: string): number {
  const [left, right] = [a.labels.get(name), b.labels.get(name)]
  if (left === right) return 0
  if (left === undefined) return 1
  return right === undefined ? -1 : compareBytes(left, right)
}

/** The alert as a notification shows it. A firing alert has no end: it may fire for longer than sending takes. */
export function toNotifiedAlert(
  { fingerprint, isResolved, alert }: Pick<FlushAlert, 'fingerprint' | 'isResolved' | 'alert'>,
  now: Instant,
): NotifiedAlert {
  const { labels, annotations, startsAt, startsAtText, endsAt, endsAtText, generatorURL } = alert
  const acknowledgement = acknowledgementAt(alert, now)
  return {
    status: isResolved ? 'resolved' : 'firing',
    labels,
    annotations,
    startsAt,
    ...(startsAtText === undefined ? {} : { startsAtText }),
    endsAt: isResolved ? endsAt : undefined,
    ...(isResolved && endsAtText !== undefined ? { endsAtText } : {}),
    generatorURL: generatorURL ?? '',
    fingerprint,
    ...(acknowledgement === undefined ? {} : { acknowledgement }),
  }
}

/** Most groups are small, and even sorting a sorted list takes time. */
const inOrder = (fingerprints: string[]): string[] =>
  fingerprints.length < 2 ? fingerprints : fingerprints.sort()

/** Fingerprints of the firing and of the resolved alerts, each sorted. */
export function byState(alerts: readonly FlushAlert[]): { firing: string[]; resolved: string[] } {
  const firing: string[] = []
  const resolved: string[] = []
  for (const one of alerts) (one.isResolved ? resolved : firing).push(one.fingerprint)
  return { firing: inOrder(firing), resolved: inOrder(resolved) }
}
