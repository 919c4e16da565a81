import { inSlices } from '../../async/slices.ts'
import { anyText, decodeInput, exactly, optional } from '../../input/decode.ts'
import type { FromCode } from '../../input/from-code.ts'
import type { GettableAlert } from '../alert/alert.ts'
import type { AlertEntry } from '../board/alert-entry.ts'
import { toGettableAlert } from '../board/alert-json.ts'
import { alertsQueryFields, forEachChosen, readAlertsQuery } from '../board/alert-query.ts'
import type { AlertsContext, AlertsSettings } from '../context.ts'
import { groupId } from '../dispatch/group/group.ts'
import { choosePage, type Page, type PageShape, pageQueryFields } from '../page/page.ts'
import type * as wire from '../wire/types.generated.ts'

/** Which alerts to list, and which part of the list. */
export type AlertsPageQuery = FromCode<wire.AlertsPageQuery>

const { unprocessed: _, ...queryFields } = alertsQueryFields

const alertsPageQuery = exactly<wire.AlertsPageQuery>({
  ...queryFields,
  ...pageQueryFields,
  group: optional(anyText),
})

/** The properties of an alert. */
const alertFields = [
  'annotations',
  'endsAt',
  'fingerprint',
  'receivers',
  'startsAt',
  'status',
  'updatedAt',
  'generatorURL',
  'labels',
  'acknowledgement',
]

function alertShape({ severityLabel, severities }: AlertsSettings): PageShape<AlertEntry> {
  return {
    sorts: {
      fingerprint: ({ fingerprint }) => fingerprint,
      startsAt: ({ alert }) => alert.startsAt,
      endsAt: ({ alert }) => alert.endsAt,
      updatedAt: ({ alert }) => alert.updatedAt,
      severity({ labels }) {
        const severity = labels.get(severityLabel)
        // An unknown severity is less severe than all known ones.
        return severity === undefined ? undefined : severities.indexOf(severity)
      },
    },
    label: ({ labels }, name) => labels.get(name),
    id: ({ fingerprint }) => fingerprint,
    fields: alertFields,
  }
}

/**
 * Lists a page of the firing alerts, sorted, with some of their properties only if wanted.
 *
 * @throws {GatehouseError} `InvalidInput`, `InvalidPageQuery`, `TooManyFilters`, `InvalidMatcher`, `InvalidReceiver`,
 * `InvalidReceiverMatchers`.
 * @example
 * const { items, next, total } = await listAlertsPage(alerts, {
 *   filter: ['team="db"'],
 *   sort: '-severity',
 *   limit: 20,
 *   fields: ['labels', 'startsAt', 'status'],
 * })
 */
export async function listAlertsPage(
  alerts: AlertsContext,
  query: AlertsPageQuery = {},
): Promise<Page<GettableAlert>> {
  const decoded = decodeInput('query', alertsPageQuery, query)
  const { board, options } = alerts
  const filter = await inSlices(readAlertsQuery(decoded, alerts))
  const now = await board.refresh()
  const matching = await inSlices(board.alerts.matching(filter.matchers))
  const members = decoded.group === undefined ? undefined : membersOf(alerts, decoded.group)
  const entries = members === undefined ? matching : matching.filter((entry) => members.has(entry))
  const chosen: AlertEntry[] = []
  const statusOf = (entry: AlertEntry) => board.statusOf(entry, now)
  await inSlices(forEachChosen(entries, filter, statusOf, (entry) => chosen.push(entry)))
  const { items, pick, ...rest } = await inSlices(choosePage(chosen, decoded, alertShape(options)))
  const show = (entry: AlertEntry): GettableAlert =>
    pick(toGettableAlert(entry, statusOf(entry), entry.routeSet?.receivers ?? []))
  return { items: items.map(show), ...rest }
}

function membersOf({ board }: AlertsContext, id: string): ReadonlySet<AlertEntry> {
  const group = board.groups.sorted().find(({ route, labels }) => groupId(route, labels) === id)
  return group?.alerts ?? new Set()
}
