import { type AlertGroup, isClientError } from '@gatehouse/client'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ShownStates } from '../alerts/apply-changes.ts'
import { createMerger } from '../alerts/merge-servers.ts'
import { filtersOf } from './firing.ts'
import { useHasBegun } from './live.ts'
import { client } from './services.ts'

/** Other servers have no stream that this one follows. */
const readEveryMs = 15_000
const none: readonly never[] = []

/** Another server, as far as it was read. */
export interface OtherServer {
  readonly name: string
  /** The address of its page. */
  readonly url?: string
  /** `undefined` until it was read. */
  readonly groups: readonly AlertGroup[] | undefined
  /** Why its last reading failed. */
  readonly failure: string | undefined
}

/** The other servers that this one reads. */
export interface OtherServers {
  readonly servers: readonly OtherServer[]
  /** Whether it is not known yet which they are. */
  readonly isPending: boolean
  /** Why it is not known. */
  readonly failure: string | undefined
}

/** The other servers that this one reads, with their alerts. */
export function useOtherServers(filter: string, shown: ShownStates): OtherServers {
  const isReady = useHasBegun()
  const list = useQuery({
    queryKey: ['other-servers'],
    queryFn: ({ signal }) => client.otherServers({ signal }),
    enabled: isReady,
    // They are configured when the server starts.
    staleTime: Number.POSITIVE_INFINITY,
  })
  const listed = list.data ?? none
  const readings = useQueries({
    queries: listed.map(({ name }) => ({
      queryKey: ['other-servers', name, filter, shown],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        client.alerts.ofServer(name, { filter: filtersOf(filter), ...shown }, { signal }),
      placeholderData: keepPreviousData,
      refetchInterval: readEveryMs,
      structuralSharing: false,
    })),
  })
  const servers = listed.map((server, index) => ({
    ...server,
    groups: readings[index]?.data,
    failure: failureOf(readings[index]?.error),
  }))
  return { servers, isPending: list.isPending, failure: failureOf(list.error) }
}

/** The groups of this server with the alerts of others. */
export function useMerged(
  own: readonly AlertGroup[] | undefined,
  others: readonly OtherServer[],
): readonly AlertGroup[] | undefined {
  const [merge] = useState(createMerger)
  const known = others.flatMap(({ name, groups }) =>
    groups === undefined ? [] : [{ name, groups }],
  )
  return own && merge(own, known)
}

const failureOf = (error: Error | null | undefined): string | undefined => {
  if (error === null || error === undefined) return undefined
  return isClientError(error) ? error.message : String(error)
}
