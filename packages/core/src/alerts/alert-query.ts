import { isGatehouseError } from '../errors.ts'
import { getOrCreate } from '../get-or-create.ts'
import { compilePattern } from '../regex.ts'
import type { AlertEntry, AlertStatus, RouteSet } from './alert-entry.ts'
import type { AlertsConfig } from './config.ts'
import { invalidReceiver, invalidReceiverMatchers } from './errors.ts'
import { type LabelSet, labelSet } from './label-set.ts'
import { type Matcher, matchesAll } from './matcher.ts'
import { type MatcherMode, parseMatcher } from './matcher-syntax.ts'

/** Which alerts to list. @see Alertmanager API v2, `GET /alerts` */
export interface AlertsQuery {
  /** Matchers in their text form; an alert must match all. */
  filter?: readonly string[]
  /** A regular expression for the whole name of one of the alert's receivers. */
  receiver?: string
  /** Matchers in their text form for the labels of one of the alert's receivers. */
  receiverMatchers?: readonly string[]
  /** Whether alerts that nothing suppresses are listed (default true). */
  active?: boolean
  /** Whether silenced alerts are listed (default true). */
  silenced?: boolean
  /** Whether inhibited alerts are listed (default true). */
  inhibited?: boolean
  /** Has no effect: every alert is judged when it is read. */
  unprocessed?: boolean
}

/** A query that was read, ready to be asked. */
export interface AlertsFilter {
  readonly matchers: readonly Matcher[]
  /** Whether all receivers are wanted. */
  readonly wantsAllReceivers: boolean
  /** Whether a receiver of this name is wanted. */
  wantsReceiver(name: string): boolean
  /** Whether one of these routes' receivers is wanted. */
  wantsRoutes(set: RouteSet | undefined): boolean
  wantsStatus(status: AlertStatus): boolean
}

/**
 * Reads a query.
 *
 * @throws {GatehouseError} `InvalidMatcher`, `InvalidReceiver`, `InvalidReceiverMatchers`, in this order.
 */
export function readAlertsQuery(
  query: AlertsQuery,
  config: AlertsConfig,
  mode: MatcherMode,
): AlertsFilter {
  const { active = true, silenced = true, inhibited = true } = query
  const matchers = (query.filter ?? []).map((text) => parseMatcher(text, mode))
  const wantsReceiver = receiverTest(query, config, mode)
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

function receiverTest(
  query: AlertsQuery,
  config: AlertsConfig,
  mode: MatcherMode,
): ((name: string) => boolean) | undefined {
  const tests: ((name: string) => boolean)[] = []
  if (query.receiver !== undefined && query.receiver !== '') {
    const pattern = orThrow(() => compilePattern(query.receiver ?? ''), invalidReceiver)
    tests.push((name) => pattern.test(name))
  }
  const labelMatchers = readReceiverMatchers(query.receiverMatchers ?? [], mode)
  if (labelMatchers.length > 0) {
    const wanted = receiversMatching(config, labelMatchers)
    tests.push((name) => wanted.has(name))
  }
  if (tests.length === 0) return undefined
  const known = new Map<string, boolean>()
  return (name) => getOrCreate(known, name, () => tests.every((test) => test(name)))
}

/** Reads the matchers of the `receiver_matchers` parameter. @throws {GatehouseError} `InvalidReceiverMatchers` */
export function readReceiverMatchers(texts: readonly string[], mode: MatcherMode): Matcher[] {
  return texts.map((text) => orThrow(() => parseMatcher(text, mode), invalidReceiverMatchers))
}

/** Names of the receivers whose labels match. */
export function receiversMatching(
  config: AlertsConfig,
  matchers: readonly Matcher[],
): ReadonlySet<string> {
  const names = config.receivers
    .filter(({ labels }) => matchesAll(matchers, asLabelSet(labels)))
    .map(({ name }) => name)
  return new Set(names)
}

function asLabelSet(labels: ReadonlyMap<string, string>): LabelSet {
  return labelSet(labels)
}

function orThrow<T>(read: () => T, failure: (cause: Error) => Error): T {
  try {
    return read()
  } catch (error) {
    if (isGatehouseError(error)) throw failure(error)
    throw error
  }
}

/** Hands on the live alerts that the filter lets through, with their status, in the order given. */
export function forEachChosen(
  entries: readonly AlertEntry[],
  filter: AlertsFilter,
  statusOf: (entry: AlertEntry) => AlertStatus,
  take: (entry: AlertEntry, status: AlertStatus) => void,
): void {
  for (const entry of entries) {
    if (!filter.wantsRoutes(entry.routeSet)) continue
    const status = statusOf(entry)
    if (filter.wantsStatus(status)) take(entry, status)
  }
}
