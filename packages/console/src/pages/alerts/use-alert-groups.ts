import { type AlertGroup, type AlertSummary, formatMatcher, readMatchers } from '@gatehouse/client'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useRefetchInterval } from '../../data/live.ts'
import { client } from '../../data/services.ts'

/** Which alerts the page shows, beside the filter. */
export interface ShownStates {
  readonly active: boolean
  readonly silenced: boolean
  readonly inhibited: boolean
}

/** Alerts in the groups of the routing tree. */
export function useAlertGroups(
  filter: string,
  shown: ShownStates,
): UseQueryResult<readonly AlertGroup[]> {
  return useQuery({
    queryKey: ['alert-groups', filter, shown],
    queryFn: ({ signal }) =>
      client.alerts.groups({ filter: filtersOf(filter), ...shown, muted: true }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: useRefetchInterval(),
  })
}

/** The numbers of these alerts; none until they are known. */
export function useAlertSummary(filter: string, shown: ShownStates): AlertSummary | undefined {
  return useQuery({
    // They are read again when an alert changes.
    queryKey: ['alerts', 'summary', filter, shown],
    queryFn: ({ signal }) =>
      client.alerts.summary({ filter: filtersOf(filter), ...shown }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: useRefetchInterval(),
  }).data
}

/** The matchers of a text, one by one, as a query takes them. */
function filtersOf(text: string): readonly string[] {
  return (readMatchers(text).matchers ?? []).map(formatMatcher)
}
