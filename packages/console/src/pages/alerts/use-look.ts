import { useCallback, useMemo, useRef, useState } from 'react'
import { allFolded, isFolded, noFolds, readFolds, toggleFold } from '../../alerts/folds.ts'
import type { Grouping } from '../../alerts/group-alerts.ts'
import { useRememberedParameter } from '../../route/route.ts'
import type { OpenRows } from './list-actions.ts'

type View = 'cards' | 'lines' | 'table'

/** No label has this name: the list has no sections, whatever the browser remembers. */
export const noSection = '-'

/** Cards of more alerts than this do not fit a few screens. */
const maxOnCards = 100

/**
 * The chosen view; without a choice, cards for few alerts and lines for many. What came first stays: a list must not change its form
 * while one reads it.
 *
 * @param count how many alerts there are; `undefined` until it is known.
 */
function useView(chosen: string, count: number | undefined): View {
  const fitting = useRef<View>(undefined)
  if (count !== undefined) fitting.current ??= count > maxOnCards ? 'lines' : 'cards'
  if (chosen === 'cards' || chosen === 'lines' || chosen === 'table') return chosen
  return fitting.current ?? 'cards'
}

/** Which groups are folded, in the address and remembered. */
export interface Folding {
  isFolded(key: string): boolean
  toggle(key: string): void
  foldAll(): void
  unfoldAll(): void
}

function useFolds(): Folding {
  const [text, setText] = useRememberedParameter('fold')
  return useMemo(() => {
    const folds = readFolds(text)
    return {
      isFolded: (key) => isFolded(folds, key),
      toggle: (key) => setText(toggleFold(folds, key)),
      foldAll: () => setText(allFolded),
      unfoldAll: () => setText(noFolds),
    }
  }, [text, setText])
}

/** Rows that show all of their alert. */
export function useOpenRows(): OpenRows {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const toggle = useCallback((id: string) => {
    setIds((before) => {
      const after = new Set(before)
      if (!after.delete(id)) after.add(id)
      return after
    })
  }, [])
  return useMemo(() => ({ ids, toggle }), [ids, toggle])
}

/** How the list looks: chosen here, kept in the address, remembered by the browser. */
export interface Look {
  readonly view: View
  setView(view: string): void
  readonly grouping: Grouping
  setGrouping(by: string): void
  /** The label by whose values the groups stand in sections. */
  readonly section: string | undefined
  setSection(label: string): void
  readonly folding: Folding
}

/** @param count how many alerts there are; `undefined` until it is known. */
export function useLook(count: number | undefined): Look {
  const [chosen, setView] = useRememberedParameter('view')
  const [by, setGrouping] = useRememberedParameter('by')
  const [section, setSection] = useRememberedParameter('section')
  return {
    view: useView(chosen, count),
    setView,
    grouping: useMemo(() => groupingOf(by), [by]),
    setGrouping,
    section: section === '' || section === noSection ? undefined : section,
    setSection,
    folding: useFolds(),
  }
}

function groupingOf(by: string): Grouping {
  if (by.startsWith('label:')) return { by: 'label', name: by.slice('label:'.length) }
  return { by: by === 'receiver' ? 'receiver' : 'group' }
}

/** A grouping as the address has it. */
export const byText = (grouping: Grouping): string =>
  grouping.by === 'label' ? `label:${grouping.name}` : grouping.by
