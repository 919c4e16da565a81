import { type Alert, type AlertGroup, everyItem } from '@gatehouse/client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { alertsOf } from '../../alerts/group-alerts.ts'
import { type KnownLabels, knownLabels } from '../../alerts/known-labels.ts'
import { everyState, firingKey } from '../../data/firing.ts'
import { client } from '../../data/services.ts'

type LabeledAlert = Pick<Alert, 'fingerprint' | 'labels'>

/** So many alerts are asked for their labels. */
const most = 10_000
const none: readonly LabeledAlert[] = []

/**
 * The labels of all firing alerts, filtered or not, to complete from and to pick an alert from.
 *
 * @param isReadAgain whether the widget reads them when it comes, even if they were read a moment ago: then `isWhole` is soon known.
 */
export function useKnownLabels(
  enabled: boolean,
  isReadAgain = false,
): {
  alerts: readonly LabeledAlert[]
  /** Whether these are all alerts: they were read since the widget is there, and are not too many. */
  isWhole: boolean
  known: KnownLabels
} {
  const queries = useQueryClient()
  const {
    data: alerts = none,
    isFetchedAfterMount,
    isSuccess,
  } = useQuery({
    queryKey: ['known-labels'],
    queryFn: async ({ signal }) => {
      // The list of alerts has them already, unless it is filtered.
      const firing = queries.getQueryState<readonly AlertGroup[]>(firingKey('', everyState))
      if (firing?.data !== undefined && !firing.isInvalidated) {
        return alertsOf(firing.data).slice(0, most)
      }
      const found: LabeledAlert[] = []
      const query = { fields: ['fingerprint', 'labels'], limit: 1_000 }
      for await (const alert of everyItem(client.alerts.page, query, { signal })) {
        found.push(alert)
        if (found.length === most) break
      }
      return found
    },
    enabled,
    staleTime: 10_000,
    refetchOnMount: isReadAgain ? 'always' : true,
    refetchInterval: 60_000,
  })
  const known = useMemo(() => knownLabels(alerts), [alerts])
  const isWhole = isFetchedAfterMount && isSuccess && alerts.length < most
  return useMemo(() => ({ alerts, isWhole, known }), [alerts, isWhole, known])
}
