import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core'
import { type ReactNode, useLayoutEffect } from 'react'
import { useTexts } from '../texts/texts.ts'

/** A dialog in the middle of the page. */
export function Dialog(props: ModalProps): ReactNode {
  return <Modal {...props} {...useDialog(props.opened)} />
}

/** A dialog along the side of the page. */
export function SideDialog(props: DrawerProps): ReactNode {
  return <Drawer {...props} {...useDialog(props.opened)} />
}

/** What every dialog has: a name for its cross, and the way of the focus. */
function useDialog(opened: boolean) {
  const { keys } = useTexts()
  // Mantine notes what had the focus after its trap may have taken it, and does nothing where that is gone.
  useLayoutEffect(() => {
    if (!opened) return
    const opener = document.activeElement
    return () => {
      const last = document.activeElement
      setTimeout(() => returnFocus(opener, last))
    }
  }, [opened])
  return { closeButtonProps: { 'aria-label': keys.close }, returnFocus: false }
}

/**
 * Gives the focus back after a dialog was closed: to what opened it, or to the page where that is gone, such as an alert that is
 * silenced now. Leaves it where the user has moved it since.
 */
function returnFocus(opener: Element | null, last: Element | null): void {
  const active = document.activeElement
  if (active !== null && active !== document.body && active !== last) return
  const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body
  const target = isThere ? opener : document.getElementById('main')
  target?.focus({ preventScroll: true })
}
