import type { Silence } from '@gatehouse/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { client } from '../../data/services.ts'

/** How to take back what was done last. */
export interface Undo {
  /** Absent while there is nothing to take back. */
  readonly action: (() => void) | undefined
  offer(restore: () => Promise<unknown>): void
}

/** Expires silences, and takes that back. */
export function useExpiry(): {
  readonly undo: Undo
  readonly expire: (silence: Silence) => void
  /** Why one of the two failed; `null` if it did not. */
  readonly problem: Error | null
} {
  const queries = useQueryClient()
  const renew = (): Promise<void> => queries.invalidateQueries({ queryKey: ['silences'] })
  const [restore, setRestore] = useState<() => Promise<unknown>>()
  const offer = useCallback((next: () => Promise<unknown>) => setRestore(() => next), [])
  const expiry = useMutation({
    mutationFn: (silence: Silence) => client.silences.expire(silence.id),
    onSuccess: (_, silence) => {
      offer(() => createAgain(silence))
      return renew()
    },
  })
  const restoring = useMutation({
    mutationFn: (action: () => Promise<unknown>) => action(),
    onSuccess: () => {
      setRestore(undefined)
      return renew()
    },
  })
  return {
    undo: { action: restore && (() => restoring.mutate(restore)), offer },
    expire: expiry.mutate,
    problem: expiry.error ?? restoring.error,
  }
}

function createAgain(silence: Silence): Promise<string> {
  const { id: _, status: _status, updatedAt: _updated, ...rest } = silence
  // One that was pending starts when it was to start.
  const startsAt = Math.max(Date.parse(silence.startsAt), Date.now())
  return client.silences.create({ ...rest, startsAt: new Date(startsAt).toISOString() })
}
