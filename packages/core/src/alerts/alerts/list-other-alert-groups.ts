import { inSlices } from '../../async/slices.ts'
import { anyText, decodeInput, exactly, flag, listOf, optional } from '../../input/decode.ts'
import { labelSetFromObject } from '../alert/label-set.ts'
import { readFilters } from '../board/alert-query.ts'
import type { AlertsContext } from '../context.ts'
import { otherServerFailed, otherServerNotFound } from '../errors.ts'
import { type Matcher, matchesAllInSteps } from '../matcher/matcher.ts'
import type * as wire from '../wire/types.generated.ts'

/** Which alerts of another server to list. */
export type OtherAlertGroupsQuery = Partial<wire.OtherAlertGroupsQuery>

const groupsQuery = exactly<OtherAlertGroupsQuery>({
  filter: optional(listOf(anyText)),
  active: optional(flag),
  silenced: optional(flag),
  inhibited: optional(flag),
})

/**
 * Lists the firing alerts of another server, one of the option `otherServers`, in its groups. They are at most a few seconds old, or
 * up to a minute if the server takes long to answer.
 *
 * @throws {GatehouseError} `OtherServerNotFound`, `OtherServerFailed`, `InvalidInput`, `TooManyFilters`, `InvalidMatcher`.
 */
export async function listOtherAlertGroups(
  { others, options }: AlertsContext,
  name: string,
  query: OtherAlertGroupsQuery = {},
): Promise<wire.OtherAlertGroups> {
  const { filter = [], ...states } = decodeInput('query', groupsQuery, query)
  const matchers = await inSlices(readFilters(filter, options))
  const reading = await others.read(decodeInput('name', anyText, name))
  if (reading === undefined) throw otherServerNotFound(name)
  if ('failure' in reading) throw otherServerFailed(name, reading.failure)
  return { items: await inSlices(chosen(reading.groups, matchers, states)) }
}

const alertsPerStep = 50

function* chosen(
  groups: readonly wire.AlertGroup[],
  matchers: readonly Matcher[],
  states: Omit<OtherAlertGroupsQuery, 'filter'>,
): Generator<void, wire.AlertGroup[]> {
  const found: wire.AlertGroup[] = []
  for (const group of groups) {
    const alerts: wire.Alert[] = []
    for (const [index, alert] of group.alerts.entries()) {
      if ((index + 1) % alertsPerStep === 0) yield
      if (!isWanted(alert.status, states)) continue
      if (yield* isMatched(alert, matchers)) alerts.push(alert)
    }
    if (alerts.length > 0) found.push({ ...group, alerts })
    yield
  }
  return found
}

/** The labels are not sorted for nothing. */
function* isMatched(
  { labels }: wire.Alert,
  matchers: readonly Matcher[],
): Generator<void, boolean> {
  return matchers.length === 0 || (yield* matchesAllInSteps(matchers, labelSetFromObject(labels)))
}

/** @see Alertmanager API v2, `GET /alerts/groups` */
function isWanted(
  { state, silencedBy, inhibitedBy }: wire.AlertStatus,
  { active = true, silenced = true, inhibited = true }: Omit<OtherAlertGroupsQuery, 'filter'>,
): boolean {
  if (state !== 'suppressed') return active
  return (silenced || silencedBy.length === 0) && (inhibited || inhibitedBy.length === 0)
}
