import { useSyncExternalStore } from 'react'

/** The zone in which times are shown and read: that of the browser, or UTC. */
export type Zone = 'local' | 'utc'

/** How this browser shows times. */
export interface TimeChoice {
  readonly zone: Zone
  /** Whether times of day have seconds. */
  readonly hasSeconds: boolean
}

/** How times are written and read: as the user chose, in the language of the page. */
export interface TimeStyle extends TimeChoice {
  readonly language: string
}

const keys = { zone: 'gatehouse-time-zone', seconds: 'gatehouse-seconds' } as const

const remembered = (): TimeChoice => ({
  zone: localStorage.getItem(keys.zone) === 'utc' ? 'utc' : 'local',
  hasSeconds: localStorage.getItem(keys.seconds) === 'true',
})

const listeners = new Set<() => void>()
let choice: TimeChoice | undefined

const renew = (): void => {
  choice = remembered()
  for (const one of listeners) one()
}

const subscribe = (listener: () => void): (() => void) => {
  // Another window of the browser may choose, too.
  if (listeners.size === 0) addEventListener('storage', renew)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) removeEventListener('storage', renew)
  }
}

/** Chooses how times are shown, in all windows of this browser. */
export function chooseTimes({ zone, hasSeconds }: TimeChoice): void {
  localStorage.setItem(keys.zone, zone)
  localStorage.setItem(keys.seconds, String(hasSeconds))
  renew()
}

/** What was chosen in this browser. */
export const useTimeChoice = (): TimeChoice =>
  useSyncExternalStore(subscribe, () => {
    choice ??= remembered()
    return choice
  })
