import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { FollowedOutput } from '../../data/follow-run.ts'
import type { OutputSearch } from './use-output-search.ts'

/** Within so many pixels of its end, a list that grows is kept at its end. */
const nearEnd = 40

/** Which part of an output is in view. */
export interface OutputPlace {
  /** The element that scrolls. */
  readonly box: RefObject<HTMLElement | null>
  readonly virtual: Virtualizer<HTMLElement, Element>
  /** Whether the end is kept in view while the output grows. */
  readonly isFollowing: boolean
  readonly goToEnd: () => void
  readonly onScroll: () => void
}

/**
 * Keeps in view the end of an output that grows, or the line that is asked for.
 *
 * @param shown the indexes of the lines that are shown.
 * @param search what is looked for.
 * @param linked the index of the line that the address names; -1: none.
 */
export function useOutputPlace(
  { lines, version, state }: FollowedOutput,
  shown: readonly number[],
  { current, wanted }: OutputSearch,
  linked: number,
): OutputPlace {
  const box = useRef<HTMLElement>(null)
  const isAtEnd = useRef(true)
  const [isFollowing, setFollowing] = useState(true)
  const virtual = useVirtualizer<HTMLElement, Element>({
    count: shown.length,
    getScrollElement: () => box.current,
    estimateSize: () => 20,
    overscan: 12,
    getItemKey: (index) => lines[shown[index] ?? -1]?.key ?? index,
  })
  const goToEnd = useCallback(() => {
    isAtEnd.current = true
    setFollowing(true)
    if (shown.length > 0) virtual.scrollToIndex(shown.length - 1, { align: 'end' })
  }, [shown, virtual])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each version may have more lines
  useEffect(() => {
    if (isAtEnd.current && state === 'live') goToEnd()
  }, [version, state, goToEnd])
  // Where the lines stand changes with what is folded, which must not move what is read.
  const shownNow = useRef(shown)
  shownNow.current = shown
  const goTo = useCallback(
    (line: number) => {
      const at = shownNow.current.indexOf(line)
      if (at < 0) return
      isAtEnd.current = false
      virtual.scrollToIndex(at, { align: 'center' })
    },
    [virtual],
  )
  useEffect(() => {
    if (current !== undefined && wanted !== '') goTo(current)
  }, [current, wanted, goTo])
  useEffect(() => {
    if (linked < 0) return
    setFollowing(false)
    goTo(linked)
  }, [linked, goTo])
  const onScroll = (): void => {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = box.current ?? {}
    isAtEnd.current = scrollTop + clientHeight >= scrollHeight - nearEnd
    setFollowing(isAtEnd.current)
  }
  return { box, virtual, isFollowing, goToEnd, onScroll }
}
