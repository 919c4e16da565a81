import type { Matcher, SilencePreview } from '@gatehouse/client'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../data/services.ts'
import type { SilenceDraft } from './silence-draft.ts'

const restMs = 200
let forms = 0

/** What a silence with these matchers would cover. */
export interface Preview {
  readonly data: SilencePreview | undefined
  /** Whether it is about other matchers than those of now. */
  readonly isOld: boolean
  readonly error: unknown
  /** What it is now; `undefined` if the server does not say. */
  readNow(): Promise<SilencePreview | undefined>
}

/** Previews a silence as it is written, and again when alerts change. */
export function usePreview(
  matchers: readonly Matcher[],
  { chosen, id: ordinaryId, recurring }: Pick<SilenceDraft, 'chosen' | 'id' | 'recurring'>,
): Preview {
  const id = ordinaryId ?? recurring?.id
  const queries = useQueryClient()
  // Thousands of fingerprints would be long for a key; they stay the same within a form.
  const [form] = useState(() => ++forms)
  const optionsOf = (wanted: readonly Matcher[]) => ({
    // The list of alerts is in front: a change of an alert may change the preview.
    queryKey: ['alerts', 'silence-preview', form, wanted],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      client.silences.preview(
        { matchers: wanted, ...(chosen && { chosen }), ...(id !== undefined && { id }) },
        { signal },
      ),
  })
  const [rested] = useDebouncedValue(matchers, restMs)
  const { data, error, isPlaceholderData } = useQuery({
    ...optionsOf(rested),
    placeholderData: keepPreviousData,
    enabled: rested.length > 0,
  })
  const isOld = isPlaceholderData || JSON.stringify(rested) !== JSON.stringify(matchers)
  return {
    data: matchers.length === 0 ? undefined : data,
    isOld,
    error,
    async readNow() {
      try {
        return await queries.fetchQuery(optionsOf(matchers))
      } catch {
        return undefined
      }
    },
  }
}
