import { formatDuration } from '@gatehouse/go-template/text'
import { sha256Hex } from '../../crypto/crypto.ts'
import {
  type Decode,
  exactly,
  filledText,
  listOf,
  numberFrom,
  optional,
} from '../../input/decode.ts'
import { Refusal } from '../../input/refusal.ts'
import { type AlertContent, checkContent, type Labels } from '../alert/alert.ts'
import { labelsInput } from '../alert/alert-input.ts'
import type { LabelNames } from '../alert/label-set.ts'
import { formatMatchers, type Matcher } from '../matcher/matcher.ts'
import { type MatcherMode, parseMatchers } from '../matcher/matcher-syntax.ts'

/** Alerts that must keep coming, such as a watchdog: a dead man's switch. */
export interface ExpectedAlerts {
  /** Its name, unique among all: the label `expected` of the alert that fires. */
  name: string
  /** Matchers such as `alertname="Watchdog"`. An alert that all of them match counts. */
  matchers: readonly string[]
  /** The longest time without such an alert, in ms; at least a second. */
  everyMs: number
  /**
   * Labels of the alert that fires when none comes. `alertname` is `ExpectedAlertMissing` and `severity` is `critical` unless
   * they are set here.
   */
  labels?: Labels
  /** Annotations of the alert that fires. `summary` has a default. */
  annotations?: Labels
}

/** {@link ExpectedAlerts} of a running configuration. */
export interface Expectation {
  readonly name: string
  readonly matchers: readonly Matcher[]
  readonly everyMs: number
  /** Identifies its record; another name or other matchers have another one. */
  readonly id: string
  /** The alert that fires while the expected ones are missing. */
  readonly alert: AlertContent
}

/** The most in one configuration: each alert that is posted is compared with all of them. */
const maxExpected = 100

const maxMs = 366 * 24 * 3_600_000

const entry = exactly<ExpectedAlerts>({
  name: filledText,
  matchers: listOf(filledText),
  everyMs: numberFrom(1_000, maxMs),
  labels: optional(labelsInput),
  annotations: optional(labelsInput),
})

/** Decodes the part `expect` of a configuration. */
export const expectedAlertsInput: Decode<readonly ExpectedAlerts[]> = (value) => {
  const list = listOf(entry)(value)
  if (list.length > maxExpected) {
    throw new Refusal(`at most ${maxExpected} of them`, `${list.length}`)
  }
  const names = new Set<string>()
  for (const [index, { name, matchers }] of list.entries()) {
    if (names.has(name)) {
      throw new Refusal('a name of its own', JSON.stringify(name)).below('name').below(index)
    }
    if (matchers.length === 0) {
      throw new Refusal('a matcher', 'an empty list').below('matchers').below(index)
    }
    names.add(name)
  }
  return list
}

/** How matchers and label names are read. */
export interface ExpectationSyntax {
  readonly matcherMode: MatcherMode
  readonly labelNames: LabelNames
}

/**
 * Parses what {@link expectedAlertsInput} accepted.
 *
 * @throws {GatehouseError} `InvalidMatcher`; `InvalidInput` if the alert that fires would be refused.
 */
export function toExpectation(
  { name, matchers: written, everyMs, labels, annotations }: ExpectedAlerts,
  { matcherMode, labelNames }: ExpectationSyntax,
): Expectation {
  const matchers = written.flatMap((line) => parseMatchers(line, matcherMode))
  const formatted = formatMatchers(matchers)
  const alert = checkContent(
    {
      labels: {
        alertname: 'ExpectedAlertMissing',
        severity: 'critical',
        ...labels,
        expected: name,
      },
      annotations: {
        summary: `No alert has matched ${formatted} for ${formatDuration(everyMs)}.`,
        ...annotations,
      },
    },
    { labelNames, maxLabels: 0, maxLength: 0 },
  )
  if ('failure' in alert) {
    throw new Refusal('labels of an alert', alert.failure).toError(`expect "${name}"`)
  }
  const id = sha256Hex(JSON.stringify([name, formatted])).slice(0, 32)
  return { name, matchers, everyMs, id, alert }
}
