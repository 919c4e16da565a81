import { type Dispatch, type SetStateAction, useState } from 'react'
import { useMe } from './me.ts'

const key = 'gatehouse-author'

/**
 * The name for a silence or an acknowledgement: that of the signed-in subject, which the server records whatever the form says
 * (`isKnown`); else the one that was typed last in this browser.
 */
export function useAuthor(
  initial?: string,
): readonly [name: string, setName: Dispatch<SetStateAction<string>>, isKnown: boolean] {
  const [typed, setTyped] = useState(() => initial ?? localStorage.getItem(key) ?? '')
  const known = useMe().data?.subject?.id
  return [known ?? typed, setTyped, known !== undefined]
}

export const rememberAuthor = (name: string): void => localStorage.setItem(key, name)
