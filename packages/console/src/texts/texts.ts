import { createContext, useContext } from 'react'
import { en, type Texts } from './en.ts'

export type Language = 'en' | 'de'

/** Names of the languages in themselves. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' }

/** Loads the texts of a language. The English ones are always there, and stand in for texts that cannot be loaded. */
export async function loadTexts(language: Language): Promise<LanguageTexts> {
  if (language === 'en') return english
  try {
    const { de } = await import('./de.ts')
    return { language, texts: de }
  } catch {
    return english
  }
}

/** A language, and its texts. */
export interface LanguageTexts {
  readonly language: Language
  readonly texts: Texts
}

const english: LanguageTexts = { language: 'en', texts: en }

export type { Texts }

const key = 'gatehouse-language'

/** The language that was chosen, else the first of the browser's that there is, else English. */
export function firstLanguage(): Language {
  const wanted = [localStorage.getItem(key), ...navigator.languages]
  for (const tag of wanted) {
    const name = tag?.slice(0, 2)
    if (name !== undefined && Object.hasOwn(languageNames, name)) return name as Language
  }
  return 'en'
}

export function rememberLanguage(language: Language): void {
  localStorage.setItem(key, language)
}

export const TextsContext = createContext(english)

/** The texts of the page in its language. */
export const useTexts = (): Texts => useContext(TextsContext).texts

/** The language of the page, for `Intl`. */
export const useLanguage = (): Language => useContext(TextsContext).language
