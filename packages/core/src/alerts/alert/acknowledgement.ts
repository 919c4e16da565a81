import { instant, objectOf, optional, type RecordCheck, text } from '../../storage/record-check.ts'
import type { Instant } from '../../time/clock.ts'
import { formatDateTime } from '../../time/date-time.ts'
import type * as wire from '../wire/types.generated.ts'
import type { LabelSet } from './label-set.ts'

/**
 * Who has taken on a firing alert. It is stored with the alert, so that the post that resolves the alert, or lets it fire again,
 * decides about both in one write.
 */
export interface Acknowledgement {
  readonly by: string
  /** May be empty. */
  readonly comment: string
  readonly since: Instant
  /** When it ends; absent: when the alert resolves. */
  readonly until?: Instant
}

/** An acknowledgement as the API returns it: times as RFC 3339. */
export type GettableAcknowledgement = wire.Acknowledgement

/** Checks a stored acknowledgement. */
export const storedAcknowledgement: RecordCheck = objectOf<Acknowledgement>({
  by: text,
  comment: text,
  since: instant,
  until: optional(instant),
})

/** An alert that may be acknowledged. */
interface Acknowledgeable {
  readonly acknowledgement?: Acknowledgement
}

/** The acknowledgement that applies at `now`: its end is exclusive. */
export function acknowledgementAt(
  { acknowledgement }: Acknowledgeable,
  now: Instant,
): Acknowledgement | undefined {
  if (acknowledgement === undefined) return undefined
  const { until = Number.POSITIVE_INFINITY } = acknowledgement
  return now < until ? acknowledgement : undefined
}

/** Whether two alerts have the same acknowledgement, or both none. */
export function haveSameAcknowledgement(
  { acknowledgement: a }: Acknowledgeable,
  { acknowledgement: b }: Acknowledgeable,
): boolean {
  if (a === b) return true
  return (
    a?.since === b?.since && a?.by === b?.by && a?.comment === b?.comment && a?.until === b?.until
  )
}

/** An acknowledgement as the API returns it. */
export function toGettableAcknowledgement({
  by,
  comment,
  since,
  until,
}: Acknowledgement): GettableAcknowledgement {
  return {
    by,
    comment,
    since: formatDateTime(since),
    ...(until === undefined ? {} : { until: formatDateTime(until) }),
  }
}

/** How severe alerts are. */
export interface SeverityOrder {
  /** The label that names the severity of an alert. */
  readonly severityLabel: string
  /** The values of that label, the least severe first. */
  readonly severities: readonly string[]
}

/** A firing alert of a group. */
interface FiringAlert {
  readonly labels: LabelSet
  readonly alert: Acknowledgeable
}

/**
 * The people who acknowledged the firing alerts of a group, sorted; `undefined` if an alert is not acknowledged. An
 * acknowledgement covers the alert with the same other labels at a lower severity too.
 */
export function acknowledgedBy(
  firing: readonly FiringAlert[],
  now: Instant,
  order: SeverityOrder,
): readonly string[] | undefined {
  const names = new Set<string>()
  for (const { alert } of firing) {
    const name = acknowledgementAt(alert, now)?.by
    if (name !== undefined) names.add(name)
  }
  return names.size > 0 && areCovered(firing, now, order) ? [...names].sort() : undefined
}

function areCovered(firing: readonly FiringAlert[], now: Instant, order: SeverityOrder): boolean {
  const isOpen = ({ alert }: FiringAlert): boolean => acknowledgementAt(alert, now) === undefined
  const open = firing.filter(isOpen)
  if (open.length === 0) return true
  const highest = new Map<string, number>()
  for (const one of firing) {
    if (isOpen(one)) continue
    const key = otherLabels(one, order)
    highest.set(key, Math.max(severityOf(one, order), highest.get(key) ?? unknownSeverity))
  }
  return open.every((one) => {
    const severity = severityOf(one, order)
    const covered = highest.get(otherLabels(one, order)) ?? unknownSeverity
    return severity !== unknownSeverity && severity <= covered
  })
}

/** A severity that is not in the list compares with no other. */
const unknownSeverity = -1

const severityOf = (
  { labels }: FiringAlert,
  { severityLabel, severities }: SeverityOrder,
): number => severities.indexOf(labels.get(severityLabel) ?? '')

const otherLabels = ({ labels }: FiringAlert, { severityLabel }: SeverityOrder): string =>
  JSON.stringify([...labels].filter(([name]) => name !== severityLabel))
