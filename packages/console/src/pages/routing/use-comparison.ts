import type { ConfigPreview } from '@gatehouse/client'
import { useEffect, useRef, useState } from 'react'
import { client } from '../../data/services.ts'

const week = 7 * 86_400_000
/** How long typing rests before a draft is compared, in ms. */
const restMs = { least: 500, longest: 10_000 }
/** Comparing while one types takes at most this part of the server's time. */
const comparingShare = 1 / 5
/** The most characters of a draft that is compared without being asked. */
const maxLength = 100_000

/** A draft, and the configuration that it is compared with. */
interface Compared {
  readonly text: string
  /** Whether with the alerts of the last week. */
  readonly isLong: boolean
  /** The running configuration. */
  readonly running: string | undefined
}

/** How a draft differs from the running configuration, as far as it is known. */
export interface Comparison {
  /** The last one; of an earlier draft if `isOld`. */
  readonly data: ConfigPreview | undefined
  readonly error: unknown
  readonly of: Compared | undefined
  /** When it was made, in ms. */
  readonly at: number
  readonly isOld: boolean
  readonly isPending: boolean
  /** Whether the draft is too long to be compared without being asked. */
  readonly isTooLong: boolean
  compareNow(): void
}

type Found = Pick<Comparison, 'data' | 'error' | 'of' | 'at'>

const nothing: Found = { of: undefined, data: undefined, error: null, at: 0 }

/** Compares a draft once typing rests. What was asked about an earlier text is canceled. */
export function useComparison({ text, isLong, running }: Compared): Comparison {
  const [asked, setAsked] = useState<Compared>()
  const [found, setFound] = useState<Found>(nothing)
  const [isPending, setPending] = useState(false)
  const rest = useRef(restMs.least)
  const isTooLong = text.length > maxLength
  const isAsked = asked !== undefined && isOf(asked, { text, isLong, running })
  const isWanted = isAsked || (text.trim() !== '' && text !== running && !isTooLong)
  // biome-ignore lint/correctness/useExhaustiveDependencies: who asks again for the same text gets it compared again
  useEffect(() => {
    if (!isWanted) return
    const controller = new AbortController()
    const { signal } = controller
    const compare = async (): Promise<void> => {
      setPending(true)
      const startedAt = performance.now()
      const of = { text, isLong, running }
      try {
        const body = { config: text, ...(isLong ? { historyMs: week } : {}) }
        const data = await client.previewConfig(body, { signal })
        if (!signal.aborted) setFound({ of, data, error: null, at: Date.now() })
      } catch (error) {
        if (!signal.aborted) setFound({ of, data: undefined, error, at: Date.now() })
      }
      if (signal.aborted) return
      setPending(false)
      const tookMs = performance.now() - startedAt
      rest.current = Math.min(
        restMs.longest,
        Math.max(restMs.least, tookMs / comparingShare - tookMs),
      )
    }
    const timer = setTimeout(() => void compare(), isAsked ? 0 : rest.current)
    return () => {
      clearTimeout(timer)
      controller.abort()
      setPending(false)
    }
  }, [text, isLong, running, isWanted, isAsked, asked])
  return {
    ...found,
    isOld: found.of !== undefined && !isOf(found.of, { text, isLong, running }),
    isPending,
    isTooLong,
    compareNow: () => setAsked({ text, isLong, running }),
  }
}

const isOf = (a: Compared, b: Compared): boolean =>
  a.text === b.text && a.isLong === b.isLong && a.running === b.running
