import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react'

/** Elements that stand for an alert carry its fingerprint; keys move the focus among them. */
const alertRows = (): HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>('[data-fingerprint]'),
]

/** Moves the focus to the next alert or the one before. */
export function moveFocus(step: 1 | -1): void {
  const all = alertRows()
  const at = all.findIndex((row) => row.contains(document.activeElement))
  const next = at < 0 ? (step > 0 ? all[0] : all.at(-1)) : all[at + step]
  next?.focus({ preventScroll: true })
  next?.scrollIntoView({ block: 'nearest' })
}

/** The keys of a list of rows that open: arrows go from row to row, Enter opens and closes. */
export function onRowKey(
  event: KeyboardEvent<HTMLElement>,
  toggle: (fingerprint: string) => void,
): void {
  const { key, target, altKey, ctrlKey, metaKey, shiftKey } = event
  if (altKey || ctrlKey || metaKey || shiftKey) return
  if (key === 'ArrowDown' || key === 'ArrowUp') moveFocus(key === 'ArrowDown' ? 1 : -1)
  else if (key === 'Enter' && target instanceof HTMLElement && 'fingerprint' in target.dataset) {
    toggle(target.dataset.fingerprint ?? '')
  } else return
  event.preventDefault()
}

/** When the alert that has the focus goes away, gives the focus to the one in its place, else to the page. */
export function useKeptFocus(): void {
  const last = useRef<{ readonly row: HTMLElement; readonly place: number }>(undefined)
  useEffect(() => {
    const note = (): void => {
      const rows = alertRows()
      const place = rows.findIndex((row) => row.contains(document.activeElement))
      const row = rows[place]
      if (row !== undefined) last.current = { row, place }
    }
    addEventListener('focusin', note)
    return () => removeEventListener('focusin', note)
  }, [])
  // After every rendering: each may have removed it.
  useLayoutEffect(() => {
    if (last.current === undefined || last.current.row.isConnected) return
    const { place } = last.current
    last.current = undefined
    if (document.activeElement !== document.body) return
    const rows = alertRows()
    const next = rows[place] ?? rows.at(-1) ?? document.getElementById('main')
    next?.focus({ preventScroll: true })
  })
}
