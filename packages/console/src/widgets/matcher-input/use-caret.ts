import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Where the caret of a field stands. */
interface Caret {
  readonly at: number
  /** Notes where the caret stands. */
  note(at: number): void
  /** Puts the caret there, and the focus into the field, once its next text is set. */
  moveTo(at: number): void
}

/** Follows the caret of a field, and moves it with a text that is set for the user. */
export function useCaret(field: RefObject<HTMLInputElement | null>): Caret {
  const [at, setAt] = useState(0)
  const wanted = useRef<number>(undefined)
  // Before the next key is pressed: React puts the caret at the end of a text that it sets.
  useLayoutEffect(() => {
    const caret = wanted.current
    if (caret === undefined) return
    wanted.current = undefined
    field.current?.focus()
    field.current?.setSelectionRange(caret, caret)
  })
  return {
    at,
    note: setAt,
    moveTo(next) {
      wanted.current = next
      setAt(next)
    },
  }
}
