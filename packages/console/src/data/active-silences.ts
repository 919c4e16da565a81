import type { Silence } from '@gatehouse/client'
import { useQuery } from '@tanstack/react-query'
import { useRefetchInterval } from './live.ts'
import { client } from './services.ts'

const none: ReadonlyMap<string, Silence> = new Map()

/** The active silences by id: what an alert that is silenced does not say of them. Read once for all alerts of a page. */
export function useActiveSilences(enabled: boolean): ReadonlyMap<string, Silence> {
  const { data = none } = useQuery({
    queryKey: ['silences', 'active'],
    queryFn: async ({ signal }) => {
      const silences = await client.silences.list({ pending: false, expired: false }, { signal })
      return new Map(silences.map((silence) => [silence.id, silence]))
    },
    enabled,
    refetchInterval: useRefetchInterval(),
    structuralSharing: false,
  })
  return data
}
