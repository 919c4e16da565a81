import { type AlertsChange, type ChangeTopic, isClientError } from '@gatehouse/client'
import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { client, services } from './services.ts'

/** The lists of the console, as the first member of their query keys. */
export type List = 'alerts' | 'alert-groups' | 'silences' | 'alert-history' | 'notifications'

const topics: readonly ChangeTopic[] = [
  'alerts',
  'silences',
  'alert-history',
  'silence-history',
  'notifications',
]

const all: readonly List[] = [
  'alerts',
  'alert-groups',
  'silences',
  'alert-history',
  'notifications',
]

const listsOf: Readonly<Record<AlertsChange['type'], readonly List[]>> = {
  reset: all,
  alert: ['alerts', 'alert-groups'],
  'alert-removed': ['alerts', 'alert-groups'],
  'alert-group': ['alert-groups'],
  'alert-group-removed': ['alert-groups'],
  silence: ['silences'],
  'silence-removed': ['silences'],
  'alert-history': ['alert-history'],
  'silence-history': ['alert-history'],
  notification: ['notifications'],
}

/** Between two readings of the same list. Many changes come together, and a list may be long. */
const pauseMs = 500

/** How changes reach the page: the server sends them, the page asks at intervals, or the server does not answer. */
export type Connection = 'live' | 'polling' | 'lost'

let isLive = false
let isLost = false
const listeners = new Set<() => void>()
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
const tellListeners = (): void => {
  for (const listener of listeners) listener()
}
const setLive = (value: boolean): void => {
  isLive = value
  tellListeners()
}

/** Notes whether the last request reached the server. */
export function noteRequest(error: unknown): void {
  const wasLost = isLost
  isLost = isClientError(error) && error.reason === 'Unreachable'
  if (isLost !== wasLost) tellListeners()
}

export const useConnection = (): Connection =>
  useSyncExternalStore(subscribe, () => (isLost ? 'lost' : isLive ? 'live' : 'polling'))

/** How often a list is read although nothing said that it has changed, in ms. */
export const useRefetchInterval = (): number => (useConnection() === 'live' ? 60_000 : 5_000)

/**
 * Reads lists again when something in them has changed, while the page is visible: a browser has few connections to a server,
 * and pages in the background would hold them.
 *
 * @returns what stops it.
 */
export function followServer(queries: QueryClient): () => void {
  if (services.alerts === undefined) return () => {}
  const renew = createRenewal((list) => queries.invalidateQueries({ queryKey: [list] }))
  let connection: AbortController | undefined
  const onLive = (value: boolean): void => {
    setLive(value)
    // Lists whose last reading failed are read again, too, although nothing in them has changed.
    if (value) all.forEach(renew)
  }
  const follow = async (signal: AbortSignal): Promise<void> => {
    try {
      for await (const { type } of client.changes({ types: topics }, { signal, onLive })) {
        for (const list of listsOf[type] ?? []) renew(list)
      }
    } catch {
      // The stream was refused for good, or this page left it: what is wrong, the lists say when they are read.
    } finally {
      if (connection?.signal === signal) setLive(false)
    }
  }
  const onVisibility = (): void => {
    connection?.abort()
    connection = document.hidden ? undefined : new AbortController()
    if (connection !== undefined) void follow(connection.signal)
  }
  onVisibility()
  document.addEventListener('visibilitychange', onVisibility)
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    connection?.abort()
  }
}

/** Reads a list soon, and once more if it was changed while it was read. */
function createRenewal(read: (list: List) => Promise<void>): (list: List) => void {
  const states = new Map<List, 'reading' | 'changed'>()
  const run = async (list: List): Promise<void> => {
    states.set(list, 'reading')
    await read(list)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    const isChanged = states.get(list) === 'changed'
    states.delete(list)
    if (isChanged) await run(list)
  }
  return (list) => {
    if (states.has(list)) states.set(list, 'changed')
    else void run(list)
  }
}
