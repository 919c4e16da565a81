import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** Where a person goes on within a part of a page: its first field, else its title. */
const startOf = (part: Element): HTMLElement | null =>
  part.querySelector<HTMLElement>('[data-first]') ?? part.querySelector<HTMLElement>('h1, h2')

/**
 * Keeps the focus where a person works, within the element that is given the reference. A browser drops the focus of a button that is
 * disabled while the service answers, and of what goes away, and a keyboard begins at the top of the page again. Here the button
 * takes the focus back once it is enabled, and in place of what is gone its section does.
 */
export function useKeptFocus<E extends HTMLElement>(): RefObject<E | null> {
  const place = useRef<E>(null)
  useEffect(() => {
    const { current: whole } = place
    if (whole === null) return undefined
    let had: HTMLElement | undefined
    let section: Element | null = null
    let wasDisabled = false
    const remember = ({ target }: FocusEvent): void => {
      if (!(target instanceof HTMLElement)) return
      had = target
      section = target.closest('section')
      wasDisabled = false
    }
    const look = (): void => {
      if (had === undefined) return
      // A person who has moved on, such as to the footer, stays there.
      const { activeElement: now } = document
      const isLost = now === document.body || now === null || now === had
      if (!had.isConnected) {
        had = undefined
        const part = section?.isConnected ? section : whole
        if (isLost) startOf(part)?.focus({ preventScroll: true })
      } else if (had.matches(':disabled')) {
        wasDisabled = true
      } else if (wasDisabled) {
        wasDisabled = false
        if (isLost) had.focus({ preventScroll: true })
      }
    }
    const observer = new MutationObserver(look)
    observer.observe(whole, { subtree: true, childList: true, attributeFilter: ['disabled'] })
    whole.addEventListener('focusin', remember)
    return () => {
      observer.disconnect()
      whole.removeEventListener('focusin', remember)
    }
  }, [])
  return place
}
