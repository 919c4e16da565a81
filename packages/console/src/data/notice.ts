import { useSyncExternalStore } from 'react'

/** Something that was done, with the ways to see it and to take it back. */
export interface Notice {
  readonly text: string
  /** Where to see what was done. */
  readonly href?: string
  readonly undo?: () => Promise<unknown>
}

let current: Notice | undefined
const listeners = new Set<() => void>()
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shows what was done last, on every page until the next thing is done; `undefined` clears it. */
export function showNotice(notice: Notice | undefined): void {
  current = notice
  for (const listener of listeners) listener()
}

export const useNotice = (): Notice | undefined => useSyncExternalStore(subscribe, () => current)
