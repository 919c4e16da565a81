import { useEffect, useLayoutEffect, useRef } from 'react'

/** Elements that stand for an alert carry its fingerprint; keys move the focus among them. */
export const alertRows = (): HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>('[data-fingerprint]'),
]

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
