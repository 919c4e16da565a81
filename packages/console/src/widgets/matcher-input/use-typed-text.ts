import { readMatchers } from '@gatehouse/client'
import { useEffect, useRef, useState } from 'react'

/** The text of a field while it is typed. */
interface TypedText {
  readonly text: string
  /** Sets the text, and tells it when typing has rested for so long, in ms (0: at once). */
  type(next: string, restMs: number): void
  /** Tells at once a text that waits to be told. */
  tellNow(): void
}

/** Keeps what is typed; tells `onChange` only texts that are right, unless it `isUnchecked`. */
export function useTypedText(
  value: string,
  onChange: (text: string) => void,
  isUnchecked: boolean,
): TypedText {
  const [text, setText] = useState(value)
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const tell = (next: string, afterMs: number): void => {
    clearTimeout(waiting.current)
    waiting.current = undefined
    if (!isUnchecked && readMatchers(next).matchers === undefined) return
    if (afterMs === 0) onChange(next)
    else waiting.current = setTimeout(tell, afterMs, next, 0)
  }
  // The value changes from outside when a label is clicked or the address changes.
  useEffect(() => {
    clearTimeout(waiting.current)
    setText(value)
    return () => clearTimeout(waiting.current)
  }, [value])
  return {
    text,
    type(next, restMs) {
      setText(next)
      tell(next, restMs)
    },
    tellNow() {
      if (waiting.current !== undefined) tell(text, 0)
    },
  }
}
