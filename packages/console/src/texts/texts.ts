import { createContext, useContext } from 'react'
import { de } from './de.ts'
import { en, type Texts } from './en.ts'

export const languages = { en, de } as const satisfies Readonly<Record<string, Texts>>
export type Language = keyof typeof languages

/** Names of the languages in themselves. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' }

export type { Texts }

const key = 'gatehouse-language'

/** The language that was chosen, else the first of the browser's that there is, else English. */
export function firstLanguage(): Language {
  const wanted = [localStorage.getItem(key), ...navigator.languages]
  for (const tag of wanted) {
    const name = tag?.slice(0, 2)
    if (name !== undefined && Object.hasOwn(languages, name)) return name as Language
  }
  return 'en'
}

export function rememberLanguage(language: Language): void {
  localStorage.setItem(key, language)
}

export const TextsContext = createContext<{ language: Language; texts: Texts }>({
  language: 'en',
  texts: en,
})

/** The texts of the page in its language. */
export const useTexts = (): Texts => useContext(TextsContext).texts

/** The language of the page, for `Intl`. */
export const useLanguage = (): Language => useContext(TextsContext).language
