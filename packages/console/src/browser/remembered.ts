import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()

const renew = (): void => {
  for (const one of listeners) one()
}

const subscribe = (listener: () => void): (() => void) => {
  // Another window of the browser may change it, too.
  if (listeners.size === 0) addEventListener('storage', renew)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) removeEventListener('storage', renew)
  }
}

/** Remembers a text in this browser, for all its windows. */
export function remember(key: string, text: string): void {
  localStorage.setItem(key, text)
  renew()
}

/** What this browser remembers. */
export const useRemembered = (key: string): string | null =>
  useSyncExternalStore(subscribe, () => localStorage.getItem(key))
