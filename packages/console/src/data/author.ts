import { type Dispatch, type SetStateAction, useState } from 'react'

const key = 'gatehouse-author'

/** The name that the person at this browser wrote last under a silence or an acknowledgement. */
export const useAuthor = (initial?: string): [string, Dispatch<SetStateAction<string>>] =>
  useState(() => initial ?? localStorage.getItem(key) ?? '')

export const rememberAuthor = (name: string): void => localStorage.setItem(key, name)
