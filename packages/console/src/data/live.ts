import {
  type AlertsChange,
  type ChangesOptions,
  type ChangeTopic,
  isClientError,
} from '@gatehouse/client'
import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { createFiringPatch } from './firing.ts'
import { client, services, urlOf } from './services.ts'
import { joinStream, type SharedStream } from './shared-stream.ts'

/** The lists of the console, as the first member of their query keys. */
export type List =
  | 'firing'
  | 'alerts'
  | 'alert-groups'
  | 'silences'
  | 'alert-history'
  | 'notifications'
  | 'runs'

const topics: readonly ChangeTopic[] = [
  'alerts',
  'silences',
  'alert-history',
  'silence-history',
  'notifications',
]

const all: readonly List[] = [
  'firing',
  'alerts',
  'alert-groups',
  'silences',
  'alert-history',
  'notifications',
]

const listsOf: Readonly<Record<AlertsChange['type'], readonly List[]>> = {
  reset: all,
  // The list of firing alerts is not read again: changes are applied to it.
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

/** Between two readings of the same list, at least. Many changes come together. */
const pauseMs = 500
/** A list that takes long to read is read for this part of the time at most. */
const readingShare = 1 / 5
/** How long the first readings of lists wait for the stream: what was read before it is there would have to be read again. */
const beginMs = 400

/** How changes reach the page: the server sends them, the page asks at intervals, or the server does not answer. */
export type Connection = 'live' | 'polling' | 'lost'

/** Streams of changes, and whether they come. A page may follow one of its own. */
const streams = new Map<string, boolean>()
let isLost = false
let hasBegun = false
const listeners = new Set<() => void>()
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
const tellListeners = (): void => {
  for (const listener of listeners) listener()
}

/** Notes whether the last request reached the server. */
export function noteRequest(error: unknown): void {
  noteReach(!(isClientError(error) && error.reason === 'Unreachable'))
}

/** Notes whether the server answers. */
export function noteReach(isReached: boolean): void {
  if (isLost === !isReached) return
  isLost = !isReached
  tellListeners()
}

/** How changes come now; `undefined` while the page follows nothing, as before a sign-in. */
export const useConnection = (): Connection | undefined =>
  useSyncExternalStore(subscribe, () => {
    const states = [...streams.values()]
    if (isLost) return 'lost'
    if (states.length === 0) return
    return states.every(Boolean) ? 'live' : 'polling'
  })

/** Whether the changes of a stream come, so that its lists need no polling. */
export const useIsLive = (name: string): boolean =>
  useSyncExternalStore(subscribe, () => !isLost && streams.get(name) === true)

const begin = (): void => {
  if (hasBegun) return
  hasBegun = true
  tellListeners()
}

/** Whether lists may be read: the stream of their changes is there, or was waited for. */
export const useHasBegun = (): boolean => useSyncExternalStore(subscribe, () => hasBegun)

/** How often a list is read although nothing said that it has changed, in ms. */
export const useRefetchInterval = (): number => (useIsLive('alerts') ? restMs : 5_000)

/** How often a list is read of which changes come, in ms. */
export const restMs = 60_000

/** Changes of lists. */
export interface Changes<Change> {
  readonly name: string
  /** All lists that may change. */
  readonly lists: readonly List[]
  open(options: ChangesOptions): AsyncIterable<Change>
  /** The lists in which something has changed. */
  listsOf(change: Change): readonly List[]
  /** Applies a change to the lists that are not read again for it. */
  patch?(readAgain: (list: List) => void): (change: Change) => void
}

/** Follows alerts, silences and notifications. @returns what stops it. */
export function followServer(queries: QueryClient): () => void {
  if (services.alerts === undefined) return () => {}
  return followLists<AlertsChange>(queries, {
    name: 'alerts',
    lists: all,
    open: (options) => client.changes({ types: topics }, options),
    listsOf: ({ type }) => listsOf[type] ?? [],
    patch: (readAgain) => createFiringPatch(queries, () => readAgain('firing')),
  })
}

/**
 * Reads lists again when something in them has changed, while the page is visible: a browser has few connections to a server,
 * and pages in the background would hold them.
 *
 * @returns what stops it.
 */
export function followLists<Change>(
  queries: QueryClient,
  { name, lists, open, listsOf, patch }: Changes<Change>,
): () => void {
  const renew = createRenewal(async (list) => {
    // Reading a list again would cancel the reading of its next page, which the user asked for.
    const reading = queries.getQueryCache().findAll({ queryKey: [list], fetchStatus: 'fetching' })
    await Promise.allSettled(reading.map(({ promise }) => promise))
    await queries.invalidateQueries({ queryKey: [list] })
  })
  const apply = patch?.(renew)
  setTimeout(begin, beginMs)
  let connection: AbortController | undefined
  const setLive = (value: boolean): void => {
    streams.set(name, value)
    tellListeners()
  }
  const follow = async (signal: AbortSignal): Promise<void> => {
    const stream: SharedStream<Change> = {
      name: `gatehouse ${urlOf('.')} ${name}`,
      signal,
      async follow({ onLive, onNews }) {
        for await (const change of open({ signal, onLive })) onNews(change)
      },
    }
    let isRenewed = false
    // A stream that is new begins with a change of all lists. One that goes on does not; lists whose last reading failed are read
    // again all the same, although nothing in them has changed.
    const afterLive = (): void => {
      if (signal.aborted) return
      if (!isRenewed) lists.forEach(renew)
      setTimeout(begin)
    }
    try {
      await joinStream(stream, {
        onLive(isLive) {
          // A stream that this page has left says nothing about the one it follows now.
          if (signal.aborted) return
          setLive(isLive)
          isRenewed = false
          if (isLive) setTimeout(afterLive)
        },
        onNews(change) {
          const changed = listsOf(change)
          isRenewed ||= changed === lists
          changed.forEach(renew)
          apply?.(change)
        },
      })
    } catch {
      // The stream was refused for good, or this page left it: what is wrong, the lists say when they are read.
    } finally {
      if (!signal.aborted) setLive(false)
    }
  }
  const onVisibility = (): void => {
    connection?.abort()
    connection = document.hidden ? undefined : new AbortController()
    if (connection === undefined) setLive(false)
    else void follow(connection.signal)
  }
  onVisibility()
  document.addEventListener('visibilitychange', onVisibility)
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    connection?.abort()
    connection = undefined
    streams.delete(name)
    tellListeners()
  }
}

/** Reads a list soon, and once more if it was changed while it was read. */
function createRenewal(read: (list: List) => Promise<void>): (list: List) => void {
  const states = new Map<List, 'reading' | 'changed'>()
  const run = async (list: List): Promise<void> => {
    states.set(list, 'reading')
    const startedAt = performance.now()
    await read(list)
    const restMs = (performance.now() - startedAt) * (1 / readingShare - 1)
    await new Promise((resolve) => setTimeout(resolve, Math.max(pauseMs, restMs)))
    const isChanged = states.get(list) === 'changed'
    states.delete(list)
    if (isChanged) await run(list)
  }
  return (list) => {
    if (states.has(list)) states.set(list, 'changed')
    else void run(list)
  }
}
