import { type ExpectedAlerts, parseMatchers } from '@gatehouse/core/alerts'
import {
  duration,
  filledListOf,
  filledText,
  listOf,
  mapOf,
  mapping,
  optional,
  required,
  type Schema,
  type Sound,
  text,
} from '@gatehouse/core/document'
import { checkedBy } from '../config/kinds.ts'

/** An entry of `alerts.expect`. */
export interface ExpectEntry {
  readonly name: string
  readonly matchers: readonly string[]
  readonly every: number
  readonly labels: ReadonlyMap<string, string> | undefined
  readonly annotations: ReadonlyMap<string, string> | undefined
}

/** Every mode accepts what this one does not only warn about; the service parses it again in its own. */
const matcher: Schema<string> = checkedBy((written) => {
  parseMatchers(written, 'fallback')
  return written
})
const labels: Schema<ReadonlyMap<string, string>> = mapOf(filledText, text)

/** The schema of `alerts.expect`. */
export const expectSection: Schema<readonly ExpectEntry[]> = listOf(
  mapping<ExpectEntry>(
    {
      name: required(filledText, 'Its name, the label `expected` of the alert that fires.'),
      matchers: required(
        filledListOf(matcher),
        'Matchers such as `alertname="Watchdog"`. All must match.',
      ),
      every: required(
        duration({ least: 1_000, most: 366 * 24 * 3_600_000 }),
        'The longest time without such an alert.',
      ),
      labels: optional(
        labels,
        'Labels of the alert that fires. Default: `alertname: ExpectedAlertMissing`, `severity: critical`.',
      ),
      annotations: optional(labels, 'Annotations of the alert that fires. Default: a `summary`.'),
    },
    { title: 'ExpectedAlert' },
  ),
)

/** The entries as the service takes them; parts with a problem, which has been reported, are left out. */
export const expectedAlerts = (
  entries: Sound<readonly ExpectEntry[]> | undefined,
): readonly ExpectedAlerts[] =>
  (entries ?? []).flatMap((entry) => {
    const { name, matchers, every, labels, annotations } = entry ?? {}
    if (name === undefined || matchers === undefined || every === undefined) return []
    return [
      {
        name,
        matchers: matchers.filter((one) => one !== undefined),
        everyMs: every,
        ...(labels === undefined ? {} : { labels: Object.fromEntries(labels) }),
        ...(annotations === undefined ? {} : { annotations: Object.fromEntries(annotations) }),
      },
    ]
  })
