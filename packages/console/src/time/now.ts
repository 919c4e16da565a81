import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const one of listeners) one()
  }, 5_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The time, in ms, renewed every five seconds: one timer for the whole page. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now)
