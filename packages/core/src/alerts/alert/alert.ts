import { compareBytes } from '../../crypto/byte-order.ts'
import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import { flag, instant, mapOf, objectOf, optional, text } from '../../storage/record-check.ts'
import type { Instant } from '../../time/clock.ts'
import {
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
}

/** An alert as the API returns it. @see Alertmanager API v2, `gettableAlert` */
export interface GettableAlert {
  labels: Labels
  annotations: Labels
  fingerprint: string
  receivers: readonly { readonly name: string }[]
  startsAt: string
  endsAt: string
  updatedAt: string
  status: GettableAlertStatus
  generatorURL?: string
}

/** @see Alertmanager API v2, `alertStatus` */
export interface GettableAlertStatus {
  state: 'unprocessed' | 'active' | 'suppressed'
  /** Ids of the active silences that match, sorted. */
  silencedBy: readonly string[]
  /** The fingerprint of an alert that inhibits this one, if any. */
  inhibitedBy: readonly string[]
  /** Names of the time intervals that mute the alert's group; empty outside the groups view. */
  mutedBy: readonly string[]
}

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
  }),
})

/** Converts labels to a label set if they are not one already. */
export function toLabelSet(labels: LabelSet | Labels): LabelSet {
  return labels instanceof Map ? (labels as LabelSet) : labelSetFromObject(labels as Labels)
}

/** Settings of {@link acceptAlert}. */
export interface AcceptOptions {
  now: Instant
  resolveTimeoutMs: number
  /** Which label names are legal. */
  labelNames: LabelNames
  /** The most labels and annotations; 0: no limit. */
  maxLabels: number
  /** The most characters of labels and annotations; 0: no limit. */
  maxLength: number
}

/** An accepted alert, or the reason why it was refused. */
export type Accepted = { readonly alert: StoredAlert } | { readonly failure: string }

/**
 * Fills in the defaults of an incoming alert, and checks it.
 *
 * @see Alertmanager API v2, `POST /alerts`
 */
export function acceptAlert(postable: DecodedAlert, options: AcceptOptions): Accepted {
  const { now, resolveTimeoutMs } = options
  const { startsAtText, endsAtText, annotations = {}, generatorURL } = postable
  const alert: Mutable<StoredAlert> = {
    labels: withValues(copyOf(postable.labels)),
    annotations: copyOf(annotations),
    startsAt: postable.startsAt ?? postable.endsAt ?? now,
    endsAt: postable.endsAt ?? now + resolveTimeoutMs,
    updatedAt: now,
  }
  const ownStartText = postable.startsAt === undefined ? endsAtText : startsAtText
  if (ownStartText !== undefined) alert.startsAtText = ownStartText
  if (endsAtText !== undefined) alert.endsAtText = endsAtText
  if (generatorURL) alert.generatorURL = generatorURL
  if (postable.endsAt === undefined) alert.timeout = true
  const failure = failureOf(alert, options)
  return failure === undefined ? { alert } : { failure }
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
  { labels, annotations, startsAt, endsAt }: StoredAlert,
  { labelNames, maxLabels, maxLength }: AcceptOptions,
): string | undefined {
  if (endsAt < startsAt) return 'start time must be before end time'
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
 * a storage differ, while their commits have an order.
 *
 * @see Alertmanager API v2, `POST /alerts`
 */
export function mergeAlerts(stored: StoredAlert, incoming: StoredAlert, now: Instant): StoredAlert {
  const overlaps =
    (incoming.endsAt > stored.startsAt && incoming.endsAt < stored.endsAt) ||
    (incoming.startsAt > stored.startsAt && incoming.startsAt < stored.endsAt)
  if (!overlaps) return incoming
  const first = incoming.startsAt < stored.startsAt ? incoming : stored
  const last = laterEnd(stored, incoming, now)
  const { startsAtText: _start, endsAtText: _end, ...rest } = incoming
  return {
    ...rest,
    startsAt: first.startsAt,
    ...(first.startsAtText === undefined ? {} : { startsAtText: first.startsAtText }),
    endsAt: last.endsAt,
    ...(last.endsAtText === undefined ? {} : { endsAtText: last.endsAtText }),
  }
}

/** The alert whose end applies to the merged alert. An assumed end gives way to the incoming one. */
function laterEnd(stored: StoredAlert, incoming: StoredAlert, now: Instant): StoredAlert {
  const storedIsLater = stored.endsAt > incoming.endsAt
  if (isResolved(incoming, now)) {
    return isResolved(stored, now) && storedIsLater ? stored : incoming
  }
  return storedIsLater && stored.timeout === undefined ? stored : incoming
}
