import { compareBytes } from '@gatehouse/go-template/text'
import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import { flag, instant, mapOf, objectOf, optional, text } from '../../storage/record-check.ts'
import type { Instant } from '../../time/clock.ts'
import type * as wire from '../wire/types.generated.ts'
import {
  type Acknowledgement,
  haveSameAcknowledgement,
  storedAcknowledgement,
} from './acknowledgement.ts'
import {
  fingerprintOfObject,
  isLabelName,
  type LabelNames,
  type LabelSet,
  labelSetFromObject,
  labelSetToObject,
} from './label-set.ts'

/** Label names to values, as in JSON. */
export type Labels = Readonly<Record<string, string>>

/** An alert that was posted, with every member of its type. */
export interface DecodedAlert {
  labels: LabelSet | Labels
  annotations?: LabelSet | Labels
  /** Default: now, or `endsAt` if that is given. */
  startsAt?: Instant
  /** The start as RFC 3339 text, if its offset or fraction is more precise than `startsAt`. */
  startsAtText?: string
  /** Default: now plus the resolve timeout. */
  endsAt?: Instant
  /** The end as RFC 3339 text, if its offset or fraction is more precise than `endsAt`. */
  endsAtText?: string
  /** The source of the alert. Never fetched. */
  generatorURL?: string
  /** The content of the alert if it was checked before; then it counts instead of the members above. */
  content?: AlertContent
}

/** The part of an alert that stays the same while it is posted again: everything but its times. */
export interface AlertContent {
  readonly fingerprint: string
  readonly labels: Labels
  readonly annotations: Labels
  readonly generatorURL: string | undefined
}

/** A stored alert; its id is the fingerprint of its labels. */
export interface StoredAlert {
  readonly labels: Labels
  readonly annotations: Labels
  readonly startsAt: Instant
  readonly startsAtText?: string
  readonly endsAt: Instant
  readonly endsAtText?: string
  readonly updatedAt: Instant
  readonly generatorURL?: string
  /** The end was not sent; it was set by the resolve timeout. */
  readonly timeout?: true
  /** Stays after the alert has resolved, and goes when it fires again. */
  readonly acknowledgement?: Acknowledgement
}

/** An alert as the API returns it. @see Alertmanager API v2, `gettableAlert` */
export type GettableAlert = wire.Alert

/** @see Alertmanager API v2, `alertStatus` */
export type GettableAlertStatus = wire.AlertStatus

/** Alerts by fingerprint. No field and no expiry: the view is their index, and garbage collection removes them. */
export const alertCollection: TypedCollection<StoredAlert> = defineCollection<StoredAlert>({
  name: 'alerts',
  feed: true,
  unreadable: 'skip',
  check: objectOf<StoredAlert>({
    labels: mapOf(text),
    annotations: mapOf(text),
    startsAt: instant,
    startsAtText: optional(text),
    endsAt: instant,
    endsAtText: optional(text),
    updatedAt: instant,
    generatorURL: optional(text),
    timeout: optional(flag),
    acknowledgement: optional(storedAcknowledgement),
  }),
})

/** Converts labels to a label set if they are not one already. */
export function toLabelSet(labels: LabelSet | Labels): LabelSet {
  return labels instanceof Map ? (labels as LabelSet) : labelSetFromObject(labels as Labels)
}

/** Limits of {@link checkContent}. */
export interface ContentLimits {
  /** Which label names are legal. */
  labelNames: LabelNames
  /** The most labels and annotations; 0: no limit. */
  maxLabels: number
  /** The most characters of labels and annotations; 0: no limit. */
  maxLength: number
}

/** Settings of {@link acceptAlert}. */
export interface AcceptOptions extends ContentLimits {
  now: Instant
  resolveTimeoutMs: number
}

/** The reason why an alert was refused. */
export interface Refused {
  readonly failure: string
}

/** An accepted alert with its fingerprint, or the reason why it was refused. */
export type Accepted = { readonly id: string; readonly alert: StoredAlert } | Refused

/**
 * Fills in the defaults of an incoming alert, and checks it.
 *
 * @see Alertmanager API v2, `POST /alerts`
 */
export function acceptAlert(postable: DecodedAlert, options: AcceptOptions): Accepted {
  const { now, resolveTimeoutMs } = options
  const { startsAtText, endsAtText } = postable
  const startsAt = postable.startsAt ?? postable.endsAt ?? now
  const endsAt = postable.endsAt ?? now + resolveTimeoutMs
  if (endsAt < startsAt) return { failure: 'start time must be before end time' }
  const content = postable.content ?? checkContent(postable, options)
  if ('failure' in content) return content
  const alert = withTimes(content, {
    startsAt,
    startsAtText: postable.startsAt === undefined ? endsAtText : startsAtText,
    endsAt,
    endsAtText,
    updatedAt: now,
    timeout: postable.endsAt === undefined ? true : undefined,
  })
  return { id: content.fingerprint, alert }
}

/** Copies the content of a posted alert, so that the caller cannot change it later, and checks it. */
export function checkContent(
  postable: DecodedAlert,
  limits: ContentLimits,
): AlertContent | Refused {
  const labels = withValues(copyOf(postable.labels))
  const annotations = copyOf(postable.annotations ?? {})
  const failure = failureOf({ labels, annotations }, limits)
  if (failure !== undefined) return { failure }
  const generatorURL = postable.generatorURL || undefined
  return { fingerprint: fingerprintOfObject(labels), labels, annotations, generatorURL }
}

/** The members of a stored alert that change while it is posted again. */
interface Times {
  readonly startsAt: Instant
  readonly startsAtText: string | undefined
  readonly endsAt: Instant
  readonly endsAtText: string | undefined
  readonly updatedAt: Instant
  readonly timeout: true | undefined
}

type Content = Pick<StoredAlert, 'labels' | 'annotations'> & {
  readonly generatorURL?: string | undefined
}

/** Always sets members in the same order: objects of one shape are faster. */
function withTimes({ labels, annotations, generatorURL }: Content, times: Times): StoredAlert {
  const { startsAt, startsAtText, endsAt, endsAtText, updatedAt, timeout } = times
  const alert: Mutable<StoredAlert> = { labels, annotations, startsAt, endsAt, updatedAt }
  if (startsAtText !== undefined) alert.startsAtText = startsAtText
  if (endsAtText !== undefined) alert.endsAtText = endsAtText
  if (generatorURL !== undefined) alert.generatorURL = generatorURL
  if (timeout !== undefined) alert.timeout = timeout
  return alert
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** Copies labels, so that the caller cannot change them later. */
function copyOf(labels: LabelSet | Labels): Labels {
  return labels instanceof Map ? labelSetToObject(labels as LabelSet) : { ...(labels as Labels) }
}

/** Removes labels without a value: an empty value means the same as no label. */
function withValues(labels: Labels): Labels {
  if (!Object.values(labels).includes('')) return labels
  return Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== ''))
}

function failureOf(
  { labels, annotations }: Pick<StoredAlert, 'labels' | 'annotations'>,
  { labelNames, maxLabels, maxLength }: ContentLimits,
): string | undefined {
  const names = Object.keys(labels)
  if (names.length === 0) return 'at least one label pair required'
  const annotationNames = Object.keys(annotations)
  const count = names.length + annotationNames.length
  if (maxLabels > 0 && count > maxLabels) {
    return `too many labels and annotations: ${count} (limit: ${maxLabels})`
  }
  const length = lengthOf(labels, names) + lengthOf(annotations, annotationNames)
  if (maxLength > 0 && length > maxLength) {
    return `labels and annotations are too long: ${length} characters (limit: ${maxLength})`
  }
  return (
    invalidPair(labels, names, 'label set', labelNames) ??
    invalidPair(annotations, annotationNames, 'annotations', labelNames)
  )
}

function lengthOf(pairs: Labels, names: readonly string[]): number {
  let length = 0
  for (const name of names) length += name.length + (pairs[name] ?? '').length
  return length
}

function invalidPair(
  pairs: Labels,
  names: readonly string[],
  what: string,
  labelNames: LabelNames,
): string | undefined {
  // Compare by bytes, to report the first invalid name in the order of a label set.
  let first: string | undefined
  for (const name of names) {
    const isValid = isLabelName(name, labelNames) && (pairs[name] ?? '').isWellFormed()
    if (!isValid && (first === undefined || compareBytes(name, first) < 0)) first = name
  }
  if (first === undefined) return undefined
  if (!isLabelName(first, labelNames)) {
    return `invalid ${what}: invalid name ${JSON.stringify(first)}`
  }
  return `invalid ${what}: invalid value ${JSON.stringify(pairs[first])}`
}

/** Whether an alert has ended: its end is exclusive. */
export function isResolved(alert: { readonly endsAt: Instant }, now: Instant): boolean {
  return alert.endsAt <= now
}

/**
 * Merges a stored alert with an incoming one that has the same labels: the incoming alert replaces it, or both become one if
 * their times overlap. The incoming alert is the newer one whatever `updatedAt` says, because the clocks of processes that share
 * a storage differ, while their commits have an order. An acknowledgement of the stored alert stays until the alert fires again.
 *
 * @see Alertmanager API v2, `POST /alerts`
 */
export function mergeAlerts(stored: StoredAlert, incoming: StoredAlert, now: Instant): StoredAlert {
  const merged = mergeTimes(stored, incoming, now)
  const { acknowledgement } = stored
  if (acknowledgement === undefined) return merged
  const firesAnew = isResolved(stored, now) && !isResolved(merged, now)
  return firesAnew ? merged : { ...merged, acknowledgement }
}

function mergeTimes(stored: StoredAlert, incoming: StoredAlert, now: Instant): StoredAlert {
  const overlaps =
    (incoming.endsAt > stored.startsAt && incoming.endsAt < stored.endsAt) ||
    (incoming.startsAt > stored.startsAt && incoming.startsAt < stored.endsAt)
  if (!overlaps) return incoming
  const first = incoming.startsAt < stored.startsAt ? incoming : stored
  const last = laterEnd(stored, incoming, now)
  return withTimes(incoming, {
    startsAt: first.startsAt,
    startsAtText: first.startsAtText,
    endsAt: last.endsAt,
    endsAtText: last.endsAtText,
    updatedAt: incoming.updatedAt,
    timeout: incoming.timeout,
  })
}

/** The alert whose end applies to the merged alert. An assumed end gives way to the incoming one. */
function laterEnd(stored: StoredAlert, incoming: StoredAlert, now: Instant): StoredAlert {
  const storedIsLater = stored.endsAt > incoming.endsAt
  if (isResolved(incoming, now)) {
    return isResolved(stored, now) && storedIsLater ? stored : incoming
  }
  return storedIsLater && stored.timeout === undefined ? stored : incoming
}

const usualTimes: readonly (keyof StoredAlert)[] = ['endsAt', 'updatedAt']
const allTimes: readonly (keyof StoredAlert)[] = [
  ...usualTimes,
  'startsAt',
  'startsAtText',
  'endsAtText',
  'timeout',
]

/** Members that include all in which two alerts with the same content differ. */
export function timesThatDiffer(a: StoredAlert, b: StoredAlert): readonly (keyof StoredAlert)[] {
  const isUsual =
    a.startsAt === b.startsAt &&
    a.startsAtText === b.startsAtText &&
    a.endsAtText === b.endsAtText &&
    a.timeout === b.timeout
  return isUsual ? usualTimes : allTimes
}

/** Whether two alerts differ at most in their times and their acknowledgement. */
export function haveSameContent(a: StoredAlert, b: StoredAlert): boolean {
  return (
    a.generatorURL === b.generatorURL &&
    haveSamePairs(a.annotations, b.annotations) &&
    haveSamePairs(a.labels, b.labels)
  )
}

/** Whether two alerts differ at most in their times. */
export const differInTimes = (a: StoredAlert, b: StoredAlert): boolean =>
  haveSameContent(a, b) && haveSameAcknowledgement(a, b)

/** Runs for every repeated alert: `for in` creates no list of names. */
function haveSamePairs(a: Labels, b: Labels): boolean {
  if (a === b) return true
  let left = 0
  for (const name in a) {
    if (a[name] !== b[name]) return false
    left++
  }
  for (const _ in b) left--
  return left === 0
}
