import { compilePattern } from '@gatehouse/go-template/regex'
import { getOrCreate } from '../../async/get-or-create.ts'
import { isGatehouseError } from '../../errors.ts'
import { anyText, type Fields, flag, listOf, optional } from '../../input/decode.ts'
import { labelSet } from '../alert/label-set.ts'
import type { AlertsConfig } from '../config/config.ts'
import { invalidReceiver, invalidReceiverMatchers, tooManyFilters } from '../errors.ts'
import { type Matcher, matchesAllInSteps } from '../matcher/matcher.ts'
import { type MatcherMode, parseMatcher } from '../matcher/matcher-syntax.ts'
import type { AlertEntry, AlertStatus, RouteSet } from './alert-entry.ts'

/** Which alerts to list. @see Alertmanager API v2, `GET /alerts` */
export interface AlertsQuery {
  /** Matchers in their text form; an alert must match all of them. */
  filter?: readonly string[]
  /** A regular expression that must match the whole name of one of the alert's receivers. */
  receiver?: string
  /** Matchers in their text form for the labels of one of the alert's receivers. */
  receiverMatchers?: readonly string[]
  /** Whether alerts that nothing suppresses are listed (default true). */
  active?: boolean
  /** Whether silenced alerts are listed (default true). */
  silenced?: boolean
  /** Whether inhibited alerts are listed (default true). */
  inhibited?: boolean
  /** Has no effect: every alert is evaluated when it is read. */
  unprocessed?: boolean
}

const texts = optional(listOf(anyText))

/** The decoders of the members of a query. */
export const alertsQueryFields: Fields<AlertsQuery> = {
  filter: texts,
  receiver: optional(anyText),
  receiverMatchers: texts,
  active: optional(flag),
  silenced: optional(flag),
  inhibited: optional(flag),
  unprocessed: optional(flag),
}

/** A decoded query that selects alerts. */
export interface AlertsFilter {
  readonly matchers: readonly Matcher[]
  /** Whether it selects all receivers. */
  readonly wantsAllReceivers: boolean
  /** Whether it selects the receiver with this name. */
  wantsReceiver(name: string): boolean
  /** Whether it selects the receiver of one of these routes. */
  wantsRoutes(set: RouteSet | undefined): boolean
  wantsStatus(status: AlertStatus): boolean
}

/** The syntax of filters, and how many a query may have. */
export interface FilterLimits {
  readonly matcherMode: MatcherMode
  /** 0: no limit. */
  readonly maxFilters: number
}

/** The parts of the service that decoding a query needs. */
interface QueryContext {
  readonly config: { readonly current: Pick<AlertsConfig, 'receivers'> }
  readonly options: FilterLimits
}

/**
 * Decodes a query, in slices.
 *
 * @throws {GatehouseError} `TooManyFilters`, `InvalidMatcher`, `InvalidReceiver`, `InvalidReceiverMatchers`, in this order.
 */
export function* readAlertsQuery(
  query: AlertsQuery,
  { config, options }: QueryContext,
): Generator<void, AlertsFilter> {
  const { active = true, silenced = true, inhibited = true, filter = [] } = query
  const matchers = yield* readFilters(filter, options)
  const wantsReceiver = yield* receiverTest(query, config.current, options)
  const known = new Map<RouteSet, boolean>()
  return {
    matchers,
    wantsAllReceivers: wantsReceiver === undefined,
    wantsReceiver: wantsReceiver ?? (() => true),
    wantsRoutes(set) {
      if (set === undefined || wantsReceiver === undefined) return true
      return getOrCreate(known, set, () => set.receivers.some(wantsReceiver))
    },
    wantsStatus({ silencedBy, inhibitedBy }) {
      if (silencedBy.length === 0 && inhibitedBy.length === 0) return active
      return (silenced || silencedBy.length === 0) && (inhibited || inhibitedBy.length === 0)
    },
  }
}

/** Parses matchers in their text form, in slices. @throws {GatehouseError} `TooManyFilters`, `InvalidMatcher` */
export function* readFilters(
  texts: readonly string[],
  { matcherMode, maxFilters }: FilterLimits,
): Generator<void, Matcher[]> {
  if (maxFilters > 0 && texts.length > maxFilters) throw tooManyFilters(texts.length, maxFilters)
  const matchers: Matcher[] = []
  for (const text of texts) {
    matchers.push(parseMatcher(text, matcherMode))
    yield
  }
  return matchers
}

function* receiverTest(
  query: AlertsQuery,
  config: Pick<AlertsConfig, 'receivers'>,
  settings: FilterLimits,
): Generator<void, ((name: string) => boolean) | undefined> {
  const tests: ((name: string) => boolean)[] = []
  if (query.receiver !== undefined && query.receiver !== '') {
    const pattern = orThrow(() => compilePattern(query.receiver ?? ''), invalidReceiver)
    tests.push((name) => pattern.test(name))
  }
  const labelMatchers = yield* readReceiverMatchers(query.receiverMatchers ?? [], settings)
  if (labelMatchers.length > 0) {
    const wanted = yield* receiversMatching(config, labelMatchers)
    tests.push((name) => wanted.has(name))
  }
  if (tests.length === 0) return undefined
  const known = new Map<string, boolean>()
  return (name) => getOrCreate(known, name, () => tests.every((test) => test(name)))
}

/**
 * Parses the matchers of the `receiver_matchers` parameter, in slices.
 *
 * @throws {GatehouseError} `TooManyFilters`, `InvalidReceiverMatchers`
 */
export function* readReceiverMatchers(
  texts: readonly string[],
  settings: FilterLimits,
): Generator<void, Matcher[]> {
  try {
    return yield* readFilters(texts, settings)
  } catch (error) {
    if (isGatehouseError(error) && error.reason === 'InvalidMatcher') {
      throw invalidReceiverMatchers(error)
    }
    throw error
  }
}

/** The names of the receivers whose labels match, in slices. */
export function* receiversMatching(
  config: Pick<AlertsConfig, 'receivers'>,
  matchers: readonly Matcher[],
): Generator<void, ReadonlySet<string>> {
  const names = new Set<string>()
  for (const { name, labels } of config.receivers) {
    if (yield* matchesAllInSteps(matchers, labelSet(labels))) names.add(name)
    yield
  }
  return names
}

function orThrow<T>(read: () => T, failure: (cause: Error) => Error): T {
  try {
    return read()
  } catch (error) {
    if (isGatehouseError(error)) throw failure(error)
    throw error
  }
}

/** The number of alerts that one slice handles at least. */
const alertsPerStep = 50

/** Yields the live alerts that the filter selects, with their status, in the given order and in slices. */
export function* forEachChosen(
  entries: readonly AlertEntry[],
  filter: AlertsFilter,
  statusOf: (entry: AlertEntry) => AlertStatus,
  take: (entry: AlertEntry, status: AlertStatus) => void,
): Generator<void> {
  let looked = 0
  for (const entry of entries) {
    if (++looked % alertsPerStep === 0) yield
    // It may have stopped firing since the list was made.
    if (entry.routeSet === undefined || !filter.wantsRoutes(entry.routeSet)) continue
    const status = statusOf(entry)
    if (filter.wantsStatus(status)) take(entry, status)
  }
}
