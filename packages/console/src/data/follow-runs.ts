import type { RunChange } from '@gatehouse/client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followLists, restMs, useIsLive } from './live.ts'
import { hooks } from './webhooks.ts'

/**
 * Follows the runs while a list of them is shown, if the subject may read all.
 *
 * @param token the token of the subject, if the server does not identify senders.
 * @returns how often to read the list although nothing said that it has changed, in ms; `undefined` while no changes come.
 */
export function useRunChanges(readsAll: boolean, token: string): number | undefined {
  const queries = useQueryClient()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another token needs another stream
  useEffect(() => {
    if (!readsAll) return
    return followLists<RunChange>(queries, {
      name: 'runs',
      lists: ['runs'],
      open: (options) => hooks.changes({}, options),
      listsOf: () => ['runs'],
    })
  }, [queries, readsAll, token])
  return useIsLive('runs') ? restMs : undefined
}
