import { useCallback, useSyncExternalStore } from 'react'

/** A place in the console: `#/silences/new?filter=…` has the segments `silences` and `new`, as in Alertmanager's own page. */
export interface Place {
  readonly segments: readonly string[]
  readonly query: URLSearchParams
}

/** The place that a hash names. */
export function placeOf(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s, 2)
  return {
    segments: path
      .split('/')
      .filter((segment) => segment !== '')
      .map(decode),
    query: new URLSearchParams(query),
  }
}

/** The hash that names a place. Members of the query that are `undefined` or empty are left out. */
export function hashOf(
  segments: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, value)
  }
  const path = segments.map(encodeURIComponent).join('/')
  return `#/${path}${parameters.size === 0 ? '' : `?${parameters}`}`
}

/** Whether these segments are one of some patterns, in which `*` is any segment. */
export const isOneOf = (segments: readonly string[], patterns: readonly string[]): boolean =>
  patterns.some((pattern) => {
    const parts = pattern.split('/')
    return (
      parts.length === segments.length &&
      parts.every((part, index) => part === '*' || part === segments[index])
    )
  })

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

const subscribe = (changed: () => void): (() => void) => {
  addEventListener('hashchange', changed)
  // Back and Forward over entries that a page has pushed.
  addEventListener('popstate', changed)
  return () => {
    removeEventListener('hashchange', changed)
    removeEventListener('popstate', changed)
  }
}

/** The place that the address bar shows. */
export function usePlace(): Place {
  return placeOf(useSyncExternalStore(subscribe, () => location.hash))
}

/** A parameter of the address that this browser remembers: it holds where the address does not have it. */
export function useRememberedParameter(name: string): [string, (value: string) => void] {
  const [value, setValue] = useParameter(name)
  const key = `gatehouse-${name}`
  const set = useCallback(
    (chosen: string) => {
      localStorage.setItem(key, chosen)
      setValue(chosen)
    },
    [key, setValue],
  )
  return [value === '' ? (localStorage.getItem(key) ?? '') : value, set]
}

/** How a change of the address is kept: in place of the present one, or as a step that Back takes back. */
export type Kept = 'replace' | 'step'

/** A parameter of the address, and what changes it (default: without a new entry in the browser's history). */
export function useParameter(name: string): [string, (value: string, kept?: Kept) => void] {
  const { query } = usePlace()
  const set = useCallback(
    (value: string, kept: Kept = 'replace') => {
      const { segments, query } = placeOf(location.hash)
      const hash = hashOf(segments, { ...Object.fromEntries(query), [name]: value })
      if (kept === 'replace') history.replaceState(history.state, '', hash)
      else if (hash !== location.hash) history.pushState(null, '', hash)
      dispatchEvent(new HashChangeEvent('hashchange'))
    },
    [name],
  )
  return [query.get(name) ?? '', set]
}
