import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useIsLive } from './live.ts'

/** Reads what fires again after something was done, unless the change comes by itself. */
export function useFiringRenewal(): () => Promise<void> {
  const queries = useQueryClient()
  const isLive = useIsLive('alerts')
  return useCallback(
    async () => (isLive ? undefined : queries.invalidateQueries({ queryKey: ['firing'] })),
    [queries, isLive],
  )
}
