import type { Silence } from '@gatehouse/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { showNotice } from '../data/notice.ts'
import { client } from '../data/services.ts'
import { useTexts } from '../texts/texts.ts'

/** Expires silences, and offers to take that back. */
export function useExpiry(): {
  /** @param onExpired called once they have expired. */
  readonly expire: (silences: readonly Silence[], onExpired?: () => void) => void
  readonly isPending: boolean
  /** Why it failed; `null` if it did not. */
  readonly problem: Error | null
} {
  const { silences: texts } = useTexts()
  const queries = useQueryClient()
  const expiry = useMutation({
    mutationFn: async (silences: readonly Silence[]) => {
      const expired: Silence[] = []
      try {
        for (const silence of silences) {
          await client.silences.expire(silence.id)
          expired.push(silence)
        }
      } finally {
        // What was done before one failed can be taken back, too.
        if (expired.length > 0) {
          showNotice({ text: texts.expired(expired.length), undo: () => createAgain(expired) })
        }
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['silences'] }),
  })
  return {
    expire: (silences, onSuccess) => expiry.mutate(silences, onSuccess && { onSuccess }),
    isPending: expiry.isPending,
    problem: expiry.error,
  }
}

async function createAgain(silences: readonly Silence[]): Promise<void> {
  for (const { id: _, status: _status, updatedAt: _updated, ...rest } of silences) {
    // One that was pending starts when it was to start.
    const startsAt = Math.max(Date.parse(rest.startsAt), Date.now())
    await client.silences.create({ ...rest, startsAt: new Date(startsAt).toISOString() })
  }
}
