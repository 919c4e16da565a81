import { useMemo } from 'react'
import { useLanguage } from '../texts/texts.ts'
import { type TimeStyle, useTimeChoice } from '../time/time-style.ts'

/** How the page writes and reads times. */
export function useTimeStyle(): TimeStyle {
  const language = useLanguage()
  const choice = useTimeChoice()
  return useMemo(() => ({ ...choice, language }), [choice, language])
}
