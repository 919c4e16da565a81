import {
  anyText,
  type Decode,
  exactly,
  type Fields,
  listOf,
  objectOf,
  oneOf,
  optional,
} from '../../input/decode.ts'
import { type InstantInput, instant } from '../../input/instant.ts'
import { Refusal } from '../../input/refusal.ts'
import type { Instant } from '../../time/clock.ts'
import type { Labels, StoredAlert } from '../alert/alert.ts'
import { labelsInput } from '../alert/alert-input.ts'
import {
  fingerprintOfObject,
  type LabelSet,
  labelSetFromObject,
  labelSetToObject,
  withoutEmptyValues,
} from '../alert/label-set.ts'
import { flushAlerts, toNotifiedAlert } from '../notification/flush-alert.ts'
import type { NotifiedAlert } from '../notification/notification.ts'
import { groupLabels, type RouteNode } from '../routing/routing-tree.ts'

/** A made-up alert. */
export interface SampleAlert {
  /** Added to `alertname="TestAlert"`. They may replace it. */
  labels?: LabelSet | Labels
  /** Default none. */
  annotations?: LabelSet | Labels
  /** Default `firing`. */
  status?: 'firing' | 'resolved'
  /** Default now; five minutes ago for a resolved alert. */
  startsAt?: InstantInput
  /** When a resolved alert ended (default now). */
  endsAt?: InstantInput
  generatorURL?: string
}

/** The alerts of a test notification. */
export interface NotificationSample {
  /** Default one firing alert. */
  alerts?: readonly SampleAlert[]
  /** Default: the labels of the first alert that the first route to the receiver groups by. */
  groupLabels?: LabelSet | Labels
}

/** A {@link SampleAlert} whose types were checked. */
interface DecodedSampleAlert extends Omit<SampleAlert, 'labels' | 'annotations'> {
  labels?: Labels
  annotations?: Labels
  startsAt?: Instant
  endsAt?: Instant
}

/** A {@link NotificationSample} whose types were checked. */
export interface DecodedSample {
  alerts?: readonly DecodedSampleAlert[]
  groupLabels?: Labels
}

const sampleAlert = objectOf<DecodedSampleAlert>({
  labels: optional(labelsInput),
  annotations: optional(labelsInput),
  status: optional(oneOf(['firing', 'resolved'])),
  startsAt: optional(instant),
  endsAt: optional(instant),
  generatorURL: optional(anyText),
})

const filledList: Decode<readonly DecodedSampleAlert[]> = (value) => {
  const alerts = listOf(sampleAlert)(value)
  if (alerts.length === 0) throw new Refusal('at least one alert', 'none')
  return alerts
}

/** Decoders of the members of a sample. */
export const sampleFields: Fields<DecodedSample> = {
  alerts: optional(filledList),
  groupLabels: optional(labelsInput),
}

/** Decodes a sample. */
export const sampleInput: Decode<DecodedSample> = exactly(sampleFields)

/** How long an alert fires by default. */
const sampleLengthMs = 300_000

/** The alerts of a sample as a notification lists them at this instant, in the order of a flush. */
export function sampleAlerts(sample: DecodedSample, now: Instant): readonly NotifiedAlert[] {
  const { alerts = [{}] } = sample
  const records = alerts.map((alert) => {
    const value = storedAlert(alert, now)
    return { id: fingerprintOfObject(value.labels), version: '', value }
  })
  return flushAlerts(records, now).map((alert) => toNotifiedAlert(alert, now))
}

/** The labels of the group of these alerts under a route: given, or from the first alert. */
export function sampleGroupLabels(
  { groupLabels: given }: DecodedSample,
  route: RouteNode,
  [first]: readonly NotifiedAlert[],
): LabelSet {
  if (given !== undefined) return withoutEmptyValues(labelSetFromObject(given))
  return groupLabels(route, labelSetFromObject(first?.labels ?? {}))
}

function storedAlert(given: DecodedSampleAlert, now: Instant): StoredAlert {
  const { labels = {}, annotations = {}, status = 'firing', generatorURL } = given
  const isResolved = status === 'resolved'
  const endsAt = isResolved ? Math.min(given.endsAt ?? now, now) : now + sampleLengthMs
  const named = { alertname: 'TestAlert', ...labels }
  return {
    labels: labelSetToObject(withoutEmptyValues(labelSetFromObject(named))),
    annotations,
    startsAt: given.startsAt ?? (isResolved ? endsAt - sampleLengthMs : now),
    endsAt,
    updatedAt: now,
    ...(generatorURL === undefined ? {} : { generatorURL }),
  }
}
