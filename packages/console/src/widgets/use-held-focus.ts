import { useEffect } from 'react'

/**
 * A button that waits for an answer is disabled meanwhile, and a browser takes the focus from what is disabled. When the button can
 * be used again, as after a refusal, this gives the focus back, unless it went elsewhere.
 */
export function useHeldFocus(): void {
  useEffect(() => {
    let held: HTMLElement | undefined
    const forget = (): void => {
      held = undefined
    }
    const observer = new MutationObserver((changes) => {
      for (const { target } of changes) {
        if (!(target instanceof HTMLElement)) continue
        const isDisabled = target.hasAttribute('disabled')
        // The browser takes the focus away only when it draws the page.
        if (isDisabled && target === document.activeElement) held = target
        if (isDisabled || target !== held) continue
        forget()
        if (document.activeElement === document.body) target.focus({ preventScroll: true })
      }
    })
    observer.observe(document.body, { subtree: true, attributeFilter: ['disabled'] })
    addEventListener('focusin', forget)
    addEventListener('pointerdown', forget)
    return () => {
      observer.disconnect()
      removeEventListener('focusin', forget)
      removeEventListener('pointerdown', forget)
    }
  }, [])
}
