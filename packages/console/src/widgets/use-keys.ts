import { useLayoutEffect } from 'react'

/** Calls a function for a key that is pressed outside of fields and dialogs. */
export function useKeys(actions: Readonly<Record<string, () => void>>): void {
  // Before the page is seen: a key may follow at once.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      const target = event.target as HTMLElement
      if (
        target.closest(
          'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable], [role="dialog"], [role="menu"]',
        )
      )
        return
      const action = actions[event.key]
      if (action === undefined) return
      event.preventDefault()
      action()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [actions])
}
