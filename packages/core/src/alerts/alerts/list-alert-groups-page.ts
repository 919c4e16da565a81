import { inSlices } from '../../async/slices.ts'
import { decodeInput, exactly } from '../../input/decode.ts'
import type { FromCode } from '../../input/from-code.ts'
import { type AlertGroupSummary, summaryOf } from '../board/alert-group-json.ts'
import { readAlertsQuery } from '../board/alert-query.ts'
import type { AlertsContext } from '../context.ts'
import { groupId } from '../dispatch/group/group.ts'
import { choosePage, type Page, type PageShape, pageQueryFields } from '../page/page.ts'
import type * as wire from '../wire/types.generated.ts'
import { alertGroupsQueryFields, chosenGroups } from './list-alert-groups.ts'

/** Which alert groups to list, and which part of the list. */
export type AlertGroupsPageQuery = FromCode<wire.AlertGroupsPageQuery>

const alertGroupsPageQuery = exactly<wire.AlertGroupsPageQuery>({
  ...alertGroupsQueryFields,
  ...pageQueryFields,
})

const groupShape: PageShape<AlertGroupSummary> = {
  sorts: {
    groupKey: ({ groupKey }) => groupKey,
    receiver: ({ receiver }) => receiver.name,
    startsAt: ({ startsAt }) => Date.parse(startsAt),
    alerts: ({ counts }) => counts.all,
  },
  label: ({ labels }, name) => (Object.hasOwn(labels, name) ? labels[name] : undefined),
  id: ({ id }) => id,
  fields: ['id', 'groupKey', 'labels', 'receiver', 'mutedBy', 'counts', 'startsAt'],
}

/**
 * Lists a page of the alert groups that have an alert that matches the query, without their alerts: {@link listAlertsPage} lists
 * those of a group. Counts are of all alerts of the group.
 *
 * @throws {GatehouseError} `InvalidInput`, `InvalidPageQuery`, `TooManyFilters`, `InvalidMatcher`, `InvalidReceiver`,
 * `InvalidReceiverMatchers`.
 */
export async function listAlertGroupsPage(
  alerts: AlertsContext,
  query: AlertGroupsPageQuery = {},
): Promise<Page<AlertGroupSummary>> {
  const decoded = decodeInput('query', alertGroupsPageQuery, query)
  const { board } = alerts
  const filter = await inSlices(readAlertsQuery(decoded, alerts))
  const now = await board.refresh()
  const found = await chosenGroups(alerts, decoded, filter, now)
  const summaries = found
    .filter(({ group }) => group.alerts.size > 0)
    .map(({ group, mutedBy }) => {
      const place = { id: groupId(group.route, group.labels), mutedBy }
      return summaryOf(group, place, (entry) => board.statusOf(entry, now))
    })
  const { items, pick, ...rest } = await inSlices(choosePage(summaries, decoded, groupShape))
  return { items: items.map(pick), ...rest }
}
