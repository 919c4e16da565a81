import type { AlertGroup, AlertSummary } from '@gatehouse/client'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { ShownStates } from '../../alerts/apply-changes.ts'
import { createSummarizer } from '../../alerts/summarize.ts'
import { filtersOf, firingKey, readFiring } from '../../data/firing.ts'
import { useHasBegun, useIsLive, useRefetchInterval } from '../../data/live.ts'
import { client, severityLabel } from '../../data/services.ts'
import { useNow } from '../../time/now.ts'

/** How often all alerts are read although their changes are applied as they come, in ms. */
const wholeEveryMs = 300_000

/** Alerts in the groups of the routing tree. */
export function useAlertGroups(
  filter: string,
  shown: ShownStates,
): UseQueryResult<readonly AlertGroup[]> {
  const isLive = useIsLive('alerts')
  const interval = useRefetchInterval()
  return useQuery({
    queryKey: firingKey(filter, shown),
    queryFn: ({ signal }) => readFiring(filtersOf(filter), shown, signal),
    placeholderData: keepPreviousData,
    enabled: useHasBegun(),
    refetchInterval: isLive ? wholeEveryMs : interval,
    // The changes keep it current.
    staleTime: isLive ? Number.POSITIVE_INFINITY : 1_000,
    // It compares all alerts with those before, which takes longer than to render what changed.
    structuralSharing: false,
  })
}

/**
 * The numbers of these alerts; none until they are known.
 *
 * @param merged the alerts themselves, if some are of other servers: the server counts its own.
 */
export function useSummary(
  filter: string,
  shown: ShownStates,
  merged: readonly AlertGroup[] | undefined,
): Omit<AlertSummary, 'receivers'> | undefined {
  const now = useNow()
  const { data } = useQuery({
    // They are read again when an alert changes.
    queryKey: ['alerts', 'summary', filter, shown],
    queryFn: ({ signal }) =>
      client.alerts.summary({ filter: filtersOf(filter), ...shown }, { signal }),
    placeholderData: keepPreviousData,
    enabled: useHasBegun() && merged === undefined,
    refetchInterval: useRefetchInterval(),
  })
  const [summarize] = useState(() => createSummarizer(severityLabel))
  return useMemo(
    () => (merged === undefined ? data : summarize(merged, now)),
    [data, merged, now, summarize],
  )
}
