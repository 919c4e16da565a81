import { inSlices } from '../../async/slices.ts'
import { anyText, decodeInput, exactly, listOf, optional, wholeFrom } from '../../input/decode.ts'
import type { Instant } from '../../time/clock.ts'
import {
  type Acknowledgement,
  acknowledgementAt,
  toGettableAcknowledgement,
} from '../alert/acknowledgement.ts'
import { labelSetToObject } from '../alert/label-set.ts'
import type { AlertEntry } from '../board/alert-entry.ts'
import { readFilters } from '../board/alert-query.ts'
import type { AlertsContext } from '../context.ts'
import { type Matcher, matchesAllInSteps } from '../matcher/matcher.ts'
import type * as wire from '../wire/types.generated.ts'

/** Which acknowledged alerts to list. */
export type AcknowledgementsQuery = wire.AcknowledgementsQuery

/** A firing alert that is acknowledged. */
export type AcknowledgedAlert = wire.AcknowledgedAlert

/** A page of acknowledged alerts. */
export type AcknowledgementsPage = wire.Acknowledgements

const query = exactly<AcknowledgementsQuery>({
  filter: optional(listOf(anyText)),
  limit: optional(wholeFrom(1, 1_000)),
  after: optional(anyText),
})

interface Acknowledged {
  readonly entry: AlertEntry
  readonly acknowledgement: Acknowledgement
  readonly cursor: string
}

/**
 * Lists the firing alerts that are acknowledged, the last to be acknowledged first.
 *
 * @throws {GatehouseError} `InvalidInput`; `TooManyFilters`; `InvalidMatcher` if a filter is not a valid matcher.
 */
export async function listAcknowledgements(
  alerts: AlertsContext,
  given: AcknowledgementsQuery = {},
): Promise<AcknowledgementsPage> {
  const { filter = [], limit = 100, after } = decodeInput('query', query, given)
  const matchers = await inSlices(readFilters(filter, alerts.options))
  const now = await alerts.board.refresh()
  const found = await inSlices(matching(alerts, matchers, now))
  const all = found.filter(({ cursor }) => after === undefined || cursor < after)
  all.sort((a, b) => (a.cursor < b.cursor ? 1 : -1))
  const page = all.slice(0, limit)
  const items = page.map(({ entry, acknowledgement }) => ({
    fingerprint: entry.fingerprint,
    labels: labelSetToObject(entry.labels),
    ...toGettableAcknowledgement(acknowledgement),
  }))
  const last = page.at(-1)
  return last === undefined || page.length === all.length ? { items } : { items, next: last.cursor }
}

function* matching(
  { board }: AlertsContext,
  matchers: readonly Matcher[],
  now: Instant,
): Generator<void, Acknowledged[]> {
  const found: Acknowledged[] = []
  for (const entry of [...board.alerts.acknowledged()]) {
    const acknowledgement = acknowledgementAt(entry.alert, now)
    if (acknowledgement === undefined) continue
    if (!(yield* matchesAllInSteps(matchers, entry.labels))) continue
    found.push({ entry, acknowledgement, cursor: cursorOf(acknowledgement, entry) })
    yield
  }
  return found
}

/** Texts of one length, so that they sort by time. */
const cursorOf = ({ since }: Acknowledgement, { fingerprint }: AlertEntry): string =>
  `${new Date(since).toISOString()} ${fingerprint}`
