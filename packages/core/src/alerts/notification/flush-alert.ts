import { compareBytes } from '../../crypto/byte-order.ts'
import type { TypedRecord } from '../../storage/collection.ts'
import type { Version } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import { isResolved, type StoredAlert } from '../alert/alert.ts'
import { compareLabelSets, type LabelSet, labelSetFromObject } from '../alert/label-set.ts'
import type { NotifiedAlert } from './notification.ts'

/** An alert as a flush sees it: what happens to it later changes nothing about that. */
export interface FlushAlert {
  readonly fingerprint: string
  readonly version: Version
  readonly labels: LabelSet
  readonly isResolved: boolean
  readonly alert: StoredAlert
}

/** The alerts of a group as of its tick, in the order in which they are told of. */
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

/** An alert that has the label comes before one that lacks it. */
function compareLabel(a: FlushAlert, b: FlushAlert, name: string): number {
  const [left, right] = [a.labels.get(name), b.labels.get(name)]
  if (left === right) return 0
  if (left === undefined) return 1
  return right === undefined ? -1 : compareBytes(left, right)
}

/** The alert as a notification tells of it. One that fires has no end: it may go on for as long as it takes to tell. */
export function toNotifiedAlert({
  fingerprint,
  isResolved,
  alert,
}: Pick<FlushAlert, 'fingerprint' | 'isResolved' | 'alert'>): NotifiedAlert {
  const { labels, annotations, startsAt, startsAtText, endsAt, endsAtText, generatorURL } = alert
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
  }
}

/** Most groups are small, and sorting costs something even where there is nothing to sort. */
const inOrder = (fingerprints: string[]): string[] =>
  fingerprints.length < 2 ? fingerprints : fingerprints.sort()

/** Fingerprints of those that fire and of those that are resolved, each sorted. */
export function byState(alerts: readonly FlushAlert[]): { firing: string[]; resolved: string[] } {
  const firing: string[] = []
  const resolved: string[] = []
  for (const one of alerts) (one.isResolved ? resolved : firing).push(one.fingerprint)
  return { firing: inOrder(firing), resolved: inOrder(resolved) }
}
