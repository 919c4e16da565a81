import { checkPattern } from '@gatehouse/go-template/regex'
import { zeroTime } from '@gatehouse/go-template/text'
import { type GatehouseError, isGatehouseError } from '../../errors.ts'
import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import {
  flag,
  instant,
  listOf,
  mapOf,
  number,
  objectOf,
  oneOf,
  optional,
  type RecordCheck,
  text,
} from '../../storage/record-check.ts'
import type { Instant } from '../../time/clock.ts'
import type { Labels } from '../alert/alert.ts'
import {
  isLabelName,
  type LabelNames,
  type LabelSet,
  labelSetFromObject,
} from '../alert/label-set.ts'
import { invalidSilence } from '../errors.ts'
import { deferMatcher, type Matcher, matchesEmpty } from '../matcher/matcher.ts'
import type * as wire from '../wire/types.generated.ts'

/** A matcher in the API. @see Alertmanager API v2, `matcher` */
export type WireMatcher = wire.PostableMatcher

/** A silence that was posted, with every member of its type. */
export interface DecodedSilence {
  /** The silence to update; default: create a new one. */
  id?: string
  matchers: readonly WireMatcher[]
  /** Default: now. */
  startsAt?: Instant
  endsAt?: Instant
  createdBy: string
  comment: string
  annotations?: Labels
  untilResolved?: boolean
  remindBeforeMs?: number
}

/** A stored silence. */
export interface StoredSilence {
  readonly matchers: readonly Required<WireMatcher>[]
  readonly startsAt: Instant
  readonly endsAt: Instant
  readonly updatedAt: Instant
  readonly createdBy: string
  readonly comment: string
  readonly annotations?: Labels
  /**
   * Set if the silence ends once the alerts that it covers have resolved. It `waits` for the first alert, so that one made in
   * advance does not end at once.
   */
  readonly untilResolved?: 'waits' | 'covers'
  /** How long before its end an alert reminds of it, in ms. */
  readonly remindBeforeMs?: number
}

/** The state of a silence at an instant. */
export type SilenceState = 'expired' | 'active' | 'pending'

/** A silence as the API returns it. @see Alertmanager API v2, `gettableSilence` */
export interface GettableSilence {
  id: string
  status: { readonly state: SilenceState }
  updatedAt: string
  annotations?: Labels
  comment: string
  createdBy: string
  endsAt: string
  matchers: readonly Required<WireMatcher>[]
  startsAt: string
  /** An addition of Gatehouse: it ends once the alerts that it covers have resolved. */
  untilResolved?: true
  /** An addition of Gatehouse: how long before its end an alert reminds of it, in ms. */
  remindBeforeMs?: number
}

/** Checks a stored matcher. */
export const storedMatcher: RecordCheck = objectOf<Required<WireMatcher>>({
  name: text,
  value: text,
  isRegex: flag,
  isEqual: flag,
})

/** The most expressions of a stored silence that are checked: a request has room for many more. */
const maxChecked = 100

const storedFields = objectOf<StoredSilence>({
  matchers: listOf(storedMatcher),
  startsAt: instant,
  endsAt: instant,
  updatedAt: instant,
  createdBy: text,
  comment: text,
  annotations: optional(mapOf(text)),
  untilResolved: optional(oneOf(['waits', 'covers'])),
  remindBeforeMs: optional(number),
})

/** Checks a stored silence: an expression that cannot be compiled would fail every read of the silences. */
const storedSilence: RecordCheck = (value) => {
  const problem = storedFields(value)
  if (problem !== undefined) return problem
  const { matchers } = value as StoredSilence
  const broken = matchers
    .slice(0, maxChecked)
    .findIndex(({ isRegex, value: pattern }) => isRegex && !isPattern(pattern))
  return broken === -1 ? undefined : `matchers: ${broken}: value: expected a regular expression`
}

function isPattern(pattern: string): boolean {
  try {
    checkPattern(pattern)
    return true
  } catch (error) {
    if (isGatehouseError(error)) return false
    throw error
  }
}

/** Silences by id. */
export const silenceCollection: TypedCollection<StoredSilence> = defineCollection<StoredSilence>({
  name: 'silences',
  feed: true,
  unreadable: 'skip',
  check: storedSilence,
})

/** The state of a silence at `now`: its start is inclusive, its end exclusive. */
export function silenceState(
  silence: { readonly startsAt: Instant; readonly endsAt: Instant },
  now: Instant,
): SilenceState {
  if (now >= silence.endsAt) return 'expired'
  return now < silence.startsAt ? 'pending' : 'active'
}

/** The name of the alert that reminds of the end of a silence. */
const reminderName = 'SilenceEnding'

/** The labels of the alert that reminds of the end of a silence. Those that the silence names exactly can route it. */
export function reminderLabels(id: string, { matchers }: StoredSilence): Labels {
  const exact = matchers.filter(
    ({ isRegex, isEqual, value }) => isEqual && !isRegex && value !== '',
  )
  return {
    ...Object.fromEntries(exact.map(({ name, value }) => [name, value])),
    alertname: reminderName,
    silence: id,
  }
}

/** Whether an alert reminds of the end of this silence: then the silence does not cover it. */
export const isReminderOf = (labels: LabelSet, silenceId: string): boolean =>
  labels.get('silence') === silenceId && labels.get('alertname') === reminderName

/** The silence, ended now: a pending one never starts, an expired one stays as it is. */
export function endSilence(silence: StoredSilence, now: Instant): StoredSilence {
  const state = silenceState(silence, now)
  if (state === 'expired') return silence
  return {
    ...silence,
    startsAt: state === 'pending' ? now : silence.startsAt,
    endsAt: now,
    updatedAt: now,
  }
}

/** The matchers of a silence. Its expressions were checked when it was created, and are compiled on demand. */
export function silenceMatchers(silence: Pick<StoredSilence, 'matchers'>): Matcher[] {
  return silence.matchers.map(toMatcher)
}

function toMatcher({ name, value, isRegex, isEqual = true }: WireMatcher): Matcher {
  return deferMatcher(name, isRegex ? (isEqual ? '=~' : '!~') : isEqual ? '=' : '!=', value)
}

/**
 * Validates a posted silence in slices, without reading the stored ones.
 *
 * @throws {GatehouseError} `InvalidSilence`, with the first error.
 * @see Alertmanager API v2, `POST /silences`
 */
export function* checkSilence(
  posted: DecodedSilence,
  now: Instant,
  labelNames: LabelNames,
): Generator<void> {
  const { startsAt = zeroTime, endsAt = zeroTime, matchers, annotations = {} } = posted
  if (endsAt <= startsAt) {
    throw invalidSilence('Failed to create silence: start time must be before end time')
  }
  if (endsAt < now) throw invalidSilence("Failed to create silence: end time can't be in the past")
  for (const [index, matcher] of matchers.entries()) {
    const failure = matcherFailure(matcher, labelNames)
    if (failure !== undefined) {
      throw invalidSilence(`invalid silence: invalid label matcher ${index} in set 0: ${failure}`)
    }
    yield
  }
  let isTooBroad = true
  for (const matcher of matchers) {
    isTooBroad = matchesEmpty(toMatcher(matcher))
    if (!isTooBroad) break
    yield
  }
  if (isTooBroad) {
    throw invalidSilence(
      'invalid silence: matcher set 0: at least one matcher must not match the empty string',
    )
  }
  for (const [name, value] of labelSetFromObject(annotations)) {
    const what = isLabelName(name, labelNames) ? undefined : `name ${JSON.stringify(name)}`
    const failure = what ?? (value.isWellFormed() ? undefined : `value ${JSON.stringify(value)}`)
    if (failure !== undefined) throw invalidSilence(`invalid annotations: invalid ${failure}`)
  }
}

function matcherFailure(matcher: WireMatcher, labelNames: LabelNames): string | undefined {
  const { name, value, isRegex } = matcher
  if (!isLabelName(name, labelNames)) return `invalid label name ${JSON.stringify(name)}`
  if (!value.isWellFormed()) return `invalid label value ${JSON.stringify(value)}`
  if (!isRegex) return undefined
  try {
    checkPattern(value)
    return undefined
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    return `invalid regular expression ${JSON.stringify(value)}: ${(error as GatehouseError).message}`
  }
}

/** The effect of a posted silence on the stored one. */
export type SilenceDecision =
  | { readonly outcome: 'update'; readonly silence: StoredSilence }
  | { readonly outcome: 'create'; readonly silence: StoredSilence; readonly ended?: StoredSilence }

/**
 * Decides whether a posted silence updates the stored one in place, or ends it and gets a new id. An update keeps the id only if
 * it cannot rewrite what the silence has already suppressed.
 *
 * @see Alertmanager, `Silences.Set`
 */
export function decideSilence(
  posted: DecodedSilence,
  stored: StoredSilence | undefined,
  now: Instant,
): SilenceDecision {
  const { startsAt = zeroTime, endsAt = zeroTime, annotations } = posted
  const silence: StoredSilence = {
    matchers: posted.matchers.map(({ name, value, isRegex, isEqual = true }) => ({
      name,
      value,
      isRegex,
      isEqual,
    })),
    startsAt,
    endsAt,
    updatedAt: now,
    createdBy: posted.createdBy,
    comment: posted.comment,
    ...(annotations && Object.keys(annotations).length > 0 ? { annotations } : {}),
    ...(posted.untilResolved === true && { untilResolved: stored?.untilResolved ?? 'waits' }),
    ...(posted.remindBeforeMs && { remindBeforeMs: posted.remindBeforeMs }),
  }
  if (stored !== undefined && keepsId(stored, silence, now)) return { outcome: 'update', silence }
  const created = { ...silence, startsAt: Math.max(startsAt, now) }
  if (stored === undefined || silenceState(stored, now) === 'expired') {
    return { outcome: 'create', silence: created }
  }
  return { outcome: 'create', silence: created, ended: endSilence(stored, now) }
}

function keepsId(stored: StoredSilence, posted: StoredSilence, now: Instant): boolean {
  if (!sameMatchers(stored.matchers, posted.matchers)) return false
  const state = silenceState(stored, now)
  if (state === 'pending') return posted.startsAt >= now
  const sameSecond = Math.floor(stored.startsAt / 1_000) === Math.floor(posted.startsAt / 1_000)
  return state === 'active' && sameSecond && posted.endsAt >= now
}

function sameMatchers(
  a: readonly Required<WireMatcher>[],
  b: readonly Required<WireMatcher>[],
): boolean {
  return (
    a.length === b.length &&
    a.every((matcher, index) => {
      const other = b[index]
      return (
        other !== undefined &&
        matcher.name === other.name &&
        matcher.value === other.value &&
        matcher.isRegex === other.isRegex &&
        matcher.isEqual === other.isEqual
      )
    })
  )
}

const stateOrder: Readonly<Record<SilenceState, number>> = { active: 0, pending: 1, expired: 2 }

/**
 * The order of listed silences: active ones by their end, then pending ones by their start, then expired ones, the last to end
 * first. Those with one end are listed by their start.
 */
export function compareSilences(
  a: { readonly state: SilenceState; readonly startsAt: Instant; readonly endsAt: Instant },
  b: { readonly state: SilenceState; readonly startsAt: Instant; readonly endsAt: Instant },
): number {
  if (a.state !== b.state) return stateOrder[a.state] - stateOrder[b.state]
  const byStart = a.startsAt - b.startsAt
  const byEnd = a.endsAt - b.endsAt
  if (a.state === 'pending') return byStart || byEnd
  return (a.state === 'active' ? byEnd : -byEnd) || byStart
}

/** A silence as the API returns it: times in UTC. */
export function toGettableSilence(
  id: string,
  silence: StoredSilence,
  now: Instant,
): GettableSilence {
  const { updatedAt, annotations, comment, createdBy, endsAt, matchers, startsAt } = silence
  const { untilResolved, remindBeforeMs } = silence
  return {
    id,
    status: { state: silenceState(silence, now) },
    updatedAt: new Date(updatedAt).toISOString(),
    ...(annotations === undefined ? {} : { annotations }),
    comment,
    createdBy,
    endsAt: new Date(endsAt).toISOString(),
    matchers: matchers.map(({ isEqual, isRegex, name, value }) => ({
      isEqual,
      isRegex,
      name,
      value,
    })),
    startsAt: new Date(startsAt).toISOString(),
    ...(untilResolved !== undefined && { untilResolved: true }),
    ...(remindBeforeMs !== undefined && { remindBeforeMs }),
  }
}
