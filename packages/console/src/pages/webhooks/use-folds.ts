import { useCallback, useMemo, useState } from 'react'
import type { FollowedOutput } from '../../data/follow-run.ts'
import { lineName, type OutputLine } from '../../output/output-lines.ts'
import { findSections, type OutputSection, shownLines } from '../../output/sections.ts'

/** The sections of an output, and which lines are left to show. */
export interface Folds {
  /** By the index of the line of their heading. */
  readonly sections: ReadonlyMap<number, OutputSection>
  /** The indexes of the lines that are shown. */
  readonly shown: readonly number[]
  readonly isFolded: (section: OutputSection) => boolean
  readonly areAllFolded: boolean
  /** Folds or opens the section that a line begins. */
  readonly toggle: (line: OutputLine) => void
  readonly toggleAll: () => void
}

/**
 * Folds sections of an output on request.
 *
 * @param current the index of a line whose section is open in any case.
 */
export function useFolds(
  { lines, version }: Pick<FollowedOutput, 'lines' | 'version'>,
  current: number | undefined,
): Folds {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  // The list is always the same one; the version says that it has changed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const sections = useMemo(() => findSections(lines), [lines, version])
  const isFolded = useCallback(
    ({ start, end }: OutputSection) => {
      const isCurrent = current !== undefined && current > start && current < end
      return !isCurrent && folded.has(nameOf(lines[start]))
    },
    [lines, folded, current],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const shown = useMemo(
    () => shownLines(lines, sections, isFolded),
    [lines, version, sections, isFolded],
  )
  const toggle = useCallback((line: OutputLine) => {
    setFolded((before) => {
      const next = new Set(before)
      if (!next.delete(nameOf(line))) next.add(nameOf(line))
      return next
    })
  }, [])
  const names = [...sections.keys()].map((start) => nameOf(lines[start]))
  const areAllFolded = names.every((name) => folded.has(name))
  const toggleAll = (): void => setFolded(new Set(areAllFolded ? [] : names))
  return { sections, shown, isFolded, areAllFolded, toggle, toggleAll }
}

const nameOf = (line: OutputLine | undefined): string => (line && lineName(line)) ?? ''
