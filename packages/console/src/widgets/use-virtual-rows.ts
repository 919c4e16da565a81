import { useWindowVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Rows of a list that scrolls with the window, of which only those near the window are in the document. */
export function useVirtualRows<List extends HTMLElement>({
  count,
  heightOf,
  keyOf,
}: {
  count: number
  /** The height of a row that is not measured, in CSS pixels. */
  heightOf: (index: number) => number
  /** A row that becomes open, and has to be measured, gets another key. */
  keyOf: (index: number) => string | number
}): {
  list: RefObject<List | null>
  virtual: Virtualizer<Window, Element>
  placeOf: (item: VirtualItem) => CSSProperties
} {
  const list = useRef<List>(null)
  const [scrollMargin, setMargin] = useState(0)
  // What stands above the list may have another height after any rendering.
  useLayoutEffect(() => {
    const top = list.current?.getBoundingClientRect().top ?? 0
    setMargin(Math.round(top + window.scrollY))
  })
  const virtual = useWindowVirtualizer({
    count,
    scrollMargin,
    estimateSize: heightOf,
    overscan: 16,
    useFlushSync: false,
    getItemKey: keyOf,
  })
  return {
    list,
    virtual,
    placeOf: ({ start }) => ({ transform: `translateY(${start - scrollMargin}px)` }),
  }
}
