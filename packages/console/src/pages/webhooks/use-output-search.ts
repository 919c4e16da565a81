import { useDeferredValue, useMemo, useState } from 'react'
import type { FollowedOutput } from '../../data/follow-run.ts'
import { searchLines } from '../../output/search-lines.ts'

/** A search in an output. */
export interface OutputSearch {
  /** As it stands in the field. */
  readonly word: string
  /** The word that the lines are searched for: they follow the field when there is time. */
  readonly wanted: string
  readonly count: number
  /** The position of the current match, from 1; 0 if there is none. */
  readonly position: number
  /** The index of the line of the current match. */
  readonly current: number | undefined
  setWord(word: string): void
  /** Goes to a match further on or, below 0, further back, and around the ends. */
  step(by: number): void
}

/** Searches an output for a word, also while more of it comes. */
export function useOutputSearch({
  lines,
  version,
}: Pick<FollowedOutput, 'lines' | 'version'>): OutputSearch {
  const [word, setWord] = useState('')
  const [at, setAt] = useState(0)
  const wanted = useDeferredValue(word)
  // The list is always the same one; the version says that it has changed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const found = useMemo(() => searchLines(lines, wanted), [lines, version, wanted])
  const position = Math.min(at + 1, found.length)
  return {
    word,
    wanted,
    count: found.length,
    position,
    current: found[position - 1],
    setWord(next) {
      setWord(next)
      setAt(0)
    },
    step(by) {
      if (found.length > 0) setAt((at + by + found.length) % found.length)
    },
  }
}
